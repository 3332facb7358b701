"""A week passes at once, and the sessions of that week are gone."""

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from sandbox import eventually, sandbox

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
EXPIRED = '{"userIdentity":{"type":["Service"],"principalId":["dynamodb.amazonaws.com"]}}'

with sandbox("--clock", "manual", "--clock-start", "2026-01-01T00:00:00Z") as box:
    sessions = box.create_table("sessions", key="pk")
    box.client.update_time_to_live(
        TableName="sessions", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    for user, days in [("amy", 3), ("bob", 10), ("eve", 3)]:
        expires = int((START + timedelta(days=days)).timestamp())
        sessions.put_item(Item={"pk": f"SESSION#{user}", "user": user, "expires": expires})
    sessions.delete_item(Key={"pk": "SESSION#eve"})
    notes = box.folder / "notes.txt"

    with box.trigger("sessions", f"{HERE / 'handler.py'} {notes}", "--filter", EXPIRED):
        box.advance_clock("7d")
        # No waiting here: what became due is done when the clock has been moved.
        left = [item["user"] for item in sessions.scan()["Items"]]
        assert left == ["bob"], left
        print("after a week:", left)

        def told():
            return notes.read_text().splitlines() if notes.exists() else []

        print("eve signed out herself, so only:", eventually(told, ["amy was signed out"]))
