//! Calls of the generated functions, one file for each model.

mod app_table;
mod attribute_versioning;
mod auto_increment;
mod award_sparse_index;
mod big_time_deals;
mod by_hand;
mod courses_certificates;
mod customer_orders_logs_questions;
mod device_measurements;
mod documents_editors;
mod e_commerce;
mod event_time_series;
mod github_backend;
mod github_migrations;
mod insert_only_action;
mod job_queue;
mod messaging_inbox_outbox;
mod multiplayer_games;
mod optimistic_locking;
mod places_delimiters;
mod post_likes;
mod product_catalog_cache;
mod product_hierarchy;
mod replica_index;
mod sales_hierarchy;
mod scheduled_delete;
mod session_store;
mod settings_copies;
mod sharded_daily_logs;
mod sparse_shipped_orders;
mod split_article;
mod stream_view_types;
mod student_teacher_graph;
mod students_sports;
mod unique_user_email;
mod user_address_and_books;
mod user_games;
mod users_licence;
mod version_history;
mod voting_shards;

use monotable_model::document::Model;

use crate::call::{Answer, Call};

/// The models.
pub(crate) const NAMES: [&str; 39] = [
    "app-table",
    "attribute-versioning",
    "auto-increment",
    "award-sparse-index",
    "big-time-deals",
    "courses-certificates",
    "customer-orders-logs-questions",
    "device-measurements",
    "documents-editors",
    "e-commerce",
    "event-time-series",
    "github-backend",
    "github-migrations",
    "insert-only-action",
    "job-queue",
    "messaging-inbox-outbox",
    "multiplayer-games",
    "optimistic-locking",
    "places-delimiters",
    "post-likes",
    "product-catalog-cache",
    "product-hierarchy",
    "replica-index",
    "sales-hierarchy",
    "scheduled-delete",
    "session-store",
    "settings-copies",
    "sharded-daily-logs",
    "sparse-shipped-orders",
    "split-article",
    "stream-view-types",
    "student-teacher-graph",
    "students-sports",
    "unique-user-email",
    "user-address-and-books",
    "user-games",
    "users-licence",
    "version-history",
    "voting-shards",
];

/// Calls the function of an access pattern of a model, or does by hand what the pattern is for;
/// nothing where there is neither.
pub(crate) async fn call(model: &str, call: &Call) -> Option<Answer> {
    match model {
        "app-table" => Box::pin(app_table::call(call)).await,
        "attribute-versioning" => Box::pin(attribute_versioning::call(call)).await,
        "auto-increment" => Box::pin(auto_increment::call(call)).await,
        "award-sparse-index" => Box::pin(award_sparse_index::call(call)).await,
        "big-time-deals" => Box::pin(big_time_deals::call(call)).await,
        "courses-certificates" => Box::pin(courses_certificates::call(call)).await,
        "customer-orders-logs-questions" => {
            Box::pin(customer_orders_logs_questions::call(call)).await
        }
        "device-measurements" => Box::pin(device_measurements::call(call)).await,
        "documents-editors" => Box::pin(documents_editors::call(call)).await,
        "e-commerce" => Box::pin(e_commerce::call(call)).await,
        "event-time-series" => Box::pin(event_time_series::call(call)).await,
        "github-backend" => Box::pin(github_backend::call(call)).await,
        "github-migrations" => match Box::pin(github_migrations::call(call)).await {
            None => Box::pin(by_hand::github_migrations(call)).await,
            answer => answer,
        },
        "insert-only-action" => Box::pin(insert_only_action::call(call)).await,
        "job-queue" => Box::pin(job_queue::call(call)).await,
        "messaging-inbox-outbox" => Box::pin(messaging_inbox_outbox::call(call)).await,
        "multiplayer-games" => Box::pin(multiplayer_games::call(call)).await,
        "optimistic-locking" => Box::pin(optimistic_locking::call(call)).await,
        "places-delimiters" => Box::pin(places_delimiters::call(call)).await,
        "post-likes" => Box::pin(post_likes::call(call)).await,
        "product-catalog-cache" => Box::pin(product_catalog_cache::call(call)).await,
        "product-hierarchy" => Box::pin(product_hierarchy::call(call)).await,
        "replica-index" => Box::pin(replica_index::call(call)).await,
        "sales-hierarchy" => Box::pin(sales_hierarchy::call(call)).await,
        "scheduled-delete" => Box::pin(scheduled_delete::call(call)).await,
        "session-store" => Box::pin(session_store::call(call)).await,
        "settings-copies" => Box::pin(settings_copies::call(call)).await,
        "sharded-daily-logs" => Box::pin(sharded_daily_logs::call(call)).await,
        "sparse-shipped-orders" => Box::pin(sparse_shipped_orders::call(call)).await,
        "split-article" => Box::pin(split_article::call(call)).await,
        "stream-view-types" => Box::pin(stream_view_types::call(call)).await,
        "student-teacher-graph" => Box::pin(student_teacher_graph::call(call)).await,
        "students-sports" => Box::pin(students_sports::call(call)).await,
        "unique-user-email" => Box::pin(unique_user_email::call(call)).await,
        "user-address-and-books" => Box::pin(user_address_and_books::call(call)).await,
        "user-games" => Box::pin(user_games::call(call)).await,
        "users-licence" => Box::pin(users_licence::call(call)).await,
        "version-history" => match Box::pin(version_history::call(call)).await {
            None => Box::pin(by_hand::version_history(call)).await,
            answer => answer,
        },
        "voting-shards" => Box::pin(voting_shards::call(call)).await,
        other => panic!("there is no model {other}"),
    }
}

/// The models that the code of a model describes.
pub(crate) fn models(model: &str) -> Vec<Model> {
    match model {
        "app-table" => app_table::models(),
        "attribute-versioning" => attribute_versioning::models(),
        "auto-increment" => auto_increment::models(),
        "award-sparse-index" => award_sparse_index::models(),
        "big-time-deals" => big_time_deals::models(),
        "courses-certificates" => courses_certificates::models(),
        "customer-orders-logs-questions" => customer_orders_logs_questions::models(),
        "device-measurements" => device_measurements::models(),
        "documents-editors" => documents_editors::models(),
        "e-commerce" => e_commerce::models(),
        "event-time-series" => event_time_series::models(),
        "github-backend" => github_backend::models(),
        "github-migrations" => github_migrations::models(),
        "insert-only-action" => insert_only_action::models(),
        "job-queue" => job_queue::models(),
        "messaging-inbox-outbox" => messaging_inbox_outbox::models(),
        "multiplayer-games" => multiplayer_games::models(),
        "optimistic-locking" => optimistic_locking::models(),
        "places-delimiters" => places_delimiters::models(),
        "post-likes" => post_likes::models(),
        "product-catalog-cache" => product_catalog_cache::models(),
        "product-hierarchy" => product_hierarchy::models(),
        "replica-index" => replica_index::models(),
        "sales-hierarchy" => sales_hierarchy::models(),
        "scheduled-delete" => scheduled_delete::models(),
        "session-store" => session_store::models(),
        "settings-copies" => settings_copies::models(),
        "sharded-daily-logs" => sharded_daily_logs::models(),
        "sparse-shipped-orders" => sparse_shipped_orders::models(),
        "split-article" => split_article::models(),
        "stream-view-types" => stream_view_types::models(),
        "student-teacher-graph" => student_teacher_graph::models(),
        "students-sports" => students_sports::models(),
        "unique-user-email" => unique_user_email::models(),
        "user-address-and-books" => user_address_and_books::models(),
        "user-games" => user_games::models(),
        "users-licence" => users_licence::models(),
        "version-history" => version_history::models(),
        "voting-shards" => voting_shards::models(),
        other => panic!("there is no model {other}"),
    }
}
