//! Serves the shop over HTTP.

use anyhow::Context;
use clap::Parser;
use example_e_commerce::routes::{App, router};
use example_e_commerce::schema::Shop;
use example_e_commerce::store::Store;
use example_web::{backend, secret};
use monotable::Table;
use monotable_embedded::Embedded;
use tokio::net::TcpListener;

/// Customers and orders over HTTP, on one DynamoDB table.
///
/// The database is the one that AWS_ENDPOINT_URL, AWS_REGION and the credentials in the environment
/// lead to: a Monotable server, or AWS.
#[derive(Parser)]
struct Options {
    /// Keep everything in the memory of this process, for a try.
    #[arg(long)]
    embedded: bool,
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:3000")]
    listen: String,
    /// The table; it is made if it is missing.
    #[arg(long, default_value = "EcommerceTable")]
    table: String,
    /// What the cursors of pages are sealed with. Without it, cursors end with the process.
    #[arg(long, env = "CURSOR_SECRET", hide_env_values = true)]
    cursor_secret: Option<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let options = Options::parse();
    let db = if options.embedded {
        Shop::open(&options.table, Embedded::in_memory())
    } else {
        Shop::open(&options.table, backend::from_environment()?)
    };
    let store = Store::open(db).await.context("the table cannot be made")?;
    let app = App::new(store, &secret::given_or_random(options.cursor_secret)?);
    let listener = TcpListener::bind(&options.listen).await?;
    tracing::info!(address = %listener.local_addr()?, "listening");
    axum::serve(listener, router(app)).await?;
    Ok(())
}
