"""Orders can be found by the words of their notes, as soon as they are written."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from sandbox import eventually, sandbox

ONLY_ORDERS = '{"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"ORDER#"}]}}}}'

with sandbox() as box:
    shop = box.create_table("shop")
    index = box.folder / "orders.sqlite"

    def find(word):
        with closing(sqlite3.connect(index)) as connection:
            try:
                found = connection.execute(
                    "SELECT id FROM orders WHERE orders MATCH ? ORDER BY id", [word])
                return [order_id for (order_id,) in found]
            except sqlite3.OperationalError:
                # The handler has not made the index yet, or is writing to it.
                return None

    def order(number, note):
        shop.put_item(Item={"pk": "USER#amy", "sk": f"ORDER#{number}", "note": note})

    with box.trigger("shop", f"{HERE / 'handler.py'} {index}", "--filter", ONLY_ORDERS):
        shop.put_item(Item={"pk": "USER#amy", "sk": "USER", "email": "amy@example.com"})
        order(1, "gift wrap, please")
        order(2, "a gift for bob")
        both = ["USER#amy/ORDER#1", "USER#amy/ORDER#2"]
        print("orders with a gift:", eventually(lambda: find("gift"), both))
        order(2, "ring twice")
        print("after a change of mind:", eventually(lambda: find("gift"), both[:1]))
        shop.delete_item(Key={"pk": "USER#amy", "sk": "ORDER#1"})
        print("after a cancellation:", eventually(lambda: find("gift"), []))
        print("still there:", eventually(lambda: find("ring"), both[1:]))
