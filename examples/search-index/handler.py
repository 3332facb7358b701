"""Keeps a full-text index of orders. The file of the index is the first argument."""

import json
import sqlite3
import sys
from contextlib import closing


def handler(event, context, index):
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS orders USING fts5(id UNINDEXED, note)")
        for record in event["Records"]:
            keys = record["dynamodb"]["Keys"]
            order_id = f"{keys['pk']['S']}/{keys['sk']['S']}"
            connection.execute("DELETE FROM orders WHERE id = ?", [order_id])
            if record["eventName"] != "REMOVE":
                note = record["dynamodb"]["NewImage"].get("note", {}).get("S", "")
                connection.execute("INSERT INTO orders VALUES (?, ?)", [order_id, note])


if __name__ == "__main__":
    handler(json.load(sys.stdin), None, sys.argv[1])
