"""Likes come and go; the post knows how many there are."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from sandbox import eventually, sandbox

ONLY_LIKES = '{"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"LIKE#"}]}}}}'

with sandbox() as box:
    blog = box.create_table("blog")
    box.client.update_time_to_live(
        TableName="blog", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"}
    )
    blog.put_item(Item={"pk": "POST#1", "sk": "POST", "title": "Hello", "likes": 0})

    def likes():
        post = blog.get_item(Key={"pk": "POST#1", "sk": "POST"}, ConsistentRead=True)["Item"]
        return int(post["likes"])

    with box.trigger("blog", HERE / "handler.py", "--filter", ONLY_LIKES):
        for user in ["amy", "bob", "eve", "amy"]:
            blog.put_item(Item={"pk": "POST#1", "sk": f"LIKE#{user}"})
        print("four clicks of three people:", eventually(likes, 3))
        blog.delete_item(Key={"pk": "POST#1", "sk": "LIKE#eve"})
        print("eve takes hers back:", eventually(likes, 2))

    # A trigger under another name begins at the oldest record, so every change comes a second time.
    blog.put_item(Item={"pk": "POST#1", "sk": "LIKE#joe"})
    with box.trigger("blog", HERE / "handler.py", "--filter", ONLY_LIKES, "--name", "again"):
        eventually(likes, 3)
    # The trigger has ended, so nothing is under way any more.
    assert likes() == 3
    print("after all changes came again, and one more:", likes())
