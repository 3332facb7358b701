"""Notes whose sessions have expired. The file of the notes is the first argument."""

import json
import sys


def handler(event, context, notes):
    with open(notes, "a") as file:
        for record in event["Records"]:
            session = record["dynamodb"]["OldImage"]
            file.write(f"{session['user']['S']} was signed out\n")


if __name__ == "__main__":
    handler(json.load(sys.stdin), None, sys.argv[1])
