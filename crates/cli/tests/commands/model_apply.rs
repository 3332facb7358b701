//! `monotable model apply`: tables that come, change and stay.

use std::path::{Path, PathBuf};

use crate::support::{Server, run};
use serde_json::{Value, json};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    paths
}

fn apply(server: &Server, file: &Path, arguments: &[&str]) -> (i32, String, String) {
    let endpoint = format!("http://{}", server.address());
    let mut all = vec!["model", "apply", file.to_str().unwrap(), "--endpoint", &endpoint];
    all.extend(arguments);
    let output = run(&all);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn delete_all_tables(server: &Server) {
    let names = server.call("ListTables", &json!({}))["TableNames"].clone();
    for name in names.as_array().unwrap() {
        server.call("DeleteTable", &json!({ "TableName": name }));
    }
    while server.call("ListTables", &json!({}))["TableNames"] != json!([]) {}
}

const SHOP: &str = "\
format = 1
name = \"shop\"

[tables.Main]
name = \"shop-test\"
partition_key = \"PK\"
sort_key = \"SK\"
";

struct Shop {
    server: Server,
    folder: tempfile::TempDir,
}

impl Shop {
    fn new() -> Shop {
        Shop { server: Server::in_memory(), folder: tempfile::tempdir().unwrap() }
    }

    /// Applies the shop with these members of its table besides.
    fn apply(&self, members: &str, arguments: &[&str]) -> (i32, String, String) {
        let path = self.folder.path().join("shop.toml");
        std::fs::write(&path, format!("{SHOP}{members}")).unwrap();
        apply(&self.server, &path, arguments)
    }

    fn describe(&self) -> Value {
        self.server.call("DescribeTable", &json!({ "TableName": "shop-test" }))["Table"].clone()
    }
}

const INDEX: &str = "[tables.Main.global_indexes.GSI1]\npartition_key = \"GSI1PK\"\n";

#[test]
fn all_models_are_applied_and_then_there_is_nothing_to_do() {
    let server = Server::in_memory();
    for file in models() {
        let (code, stdout, stderr) = apply(&server, &file, &["--yes", "--wait"]);
        assert_eq!(code, 0, "{}: {stdout}{stderr}", file.display());
        let (code, stdout, stderr) = apply(&server, &file, &["--dry-run"]);
        assert_eq!(code, 0, "{}: {stdout}{stderr}", file.display());
        assert!(stdout.starts_with("nothing to do: "), "{stdout}");
        delete_all_tables(&server);
    }
}

#[test]
fn the_plan_is_shown_and_done_only_if_that_is_said() {
    let shop = Shop::new();
    let (code, stdout, _) = shop.apply("ttl = \"expires\"\n", &["--dry-run"]);
    assert_eq!(code, 1);
    assert_eq!(
        stdout,
        "+ shop-test  table   key PK and SK, on demand\n+ shop-test  expiry  by expires\n"
    );
    let (code, _, stderr) = shop.apply("", &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("say --yes"), "{stderr}");
    assert_eq!(shop.server.call("ListTables", &json!({}))["TableNames"], json!([]));
}

#[test]
fn a_table_grows_an_index_and_loses_it_only_if_that_is_allowed() {
    let shop = Shop::new();
    assert_eq!(shop.apply("", &["--yes"]).0, 0);
    let (code, stdout, stderr) = shop.apply(INDEX, &["--yes", "--wait"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.starts_with("+ shop-test  index GSI1  key GSI1PK (text), all attributes\n"),
        "{stdout}"
    );
    assert_eq!(shop.describe()["GlobalSecondaryIndexes"][0]["IndexStatus"], "ACTIVE");
    let (code, _, stderr) = shop.apply("", &["--yes"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("--allow-delete"), "{stderr}");
    assert_eq!(shop.apply("", &["--yes", "--wait", "--allow-delete"]).0, 0);
    assert!(shop.describe()["GlobalSecondaryIndexes"].is_null());
}

#[test]
fn stream_protection_and_expiry_follow_the_model() {
    let shop = Shop::new();
    assert_eq!(shop.apply("stream = \"new-image\"\n", &["--yes"]).0, 0);
    let changed = "stream = \"keys-only\"\ndeletion_protection = true\nttl = \"expires\"\n";
    let (code, _, stderr) = shop.apply(changed, &["--yes"]);
    assert_eq!(code, 0, "{stderr}");
    let table = shop.describe();
    assert_eq!(table["StreamSpecification"]["StreamViewType"], "KEYS_ONLY");
    assert_eq!(table["DeletionProtectionEnabled"], true);
    let ttl = shop.server.call("DescribeTimeToLive", &json!({ "TableName": "shop-test" }));
    assert_eq!(ttl["TimeToLiveDescription"]["AttributeName"], "expires");
    let (code, _, stderr) = shop.apply(&changed.replace("expires", "other"), &["--yes"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("it changes once an hour at most"), "{stderr}");
}

#[test]
fn what_cannot_be_changed_is_said_with_what_to_do() {
    let shop = Shop::new();
    assert_eq!(shop.apply("", &["--yes"]).0, 0);
    let local = "[tables.Main.local_indexes.LSI1]\nsort_key = \"at\"\n";
    let (code, _, stderr) = shop.apply(local, &["--yes"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("Make it a global index in the model"), "{stderr}");
}

#[test]
fn the_plan_is_there_for_programs() {
    let shop = Shop::new();
    let (code, stdout, _) = shop.apply("", &["--dry-run", "--output", "json"]);
    let plan: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 1);
    assert_eq!(plan["changes"][0]["operation"], "CreateTable");
    assert_eq!(plan["changes"][0]["body"]["TableName"], "shop-test");
}
