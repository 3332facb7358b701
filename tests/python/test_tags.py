"""TagResource, UntagResource, ListTagsOfResource, and Tags of CreateTable."""
import pytest

from tables import definitions, key_schema


def arn_of(client, table):
    return client.describe_table(TableName=table)["Table"]["TableArn"]


def tags_of(client, arn):
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}


def test_tags_of_a_new_table_are_kept(client, create):
    table = create(
        KeySchema=key_schema("pk"),
        AttributeDefinitions=definitions(pk="S"),
        Tags=[{"Key": "team", "Value": "sales"}, {"Key": "empty", "Value": ""}],
    )
    assert tags_of(client, arn_of(client, table)) == {"team": "sales", "empty": ""}


def test_tags_are_added_changed_and_removed(client, table):
    arn = arn_of(client, table)
    client.tag_resource(ResourceArn=arn,
                        Tags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}])
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "a", "Value": "3"}])
    assert tags_of(client, arn) == {"a": "3", "b": "2"}
    client.untag_resource(ResourceArn=arn, TagKeys=["b", "absent"])
    assert tags_of(client, arn) == {"a": "3"}


def test_a_table_has_at_most_fifty_tags(client, table):
    arn = arn_of(client, table)
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": f"k{n}", "Value": ""} for n in range(50)])
    with pytest.raises(client.exceptions.ClientError) as error:
        client.tag_resource(ResourceArn=arn, Tags=[{"Key": "one more", "Value": ""}])
    assert error.value.response["Error"] == {
        "Code": "ValidationException",
        "Message": "Number of Tags exceed the current limit for the provided ResourceArn",
    }


def test_a_table_that_is_not_there_has_no_tags(client, table):
    arn = arn_of(client, table) + "-absent"
    with pytest.raises(client.exceptions.ResourceNotFoundException) as error:
        client.list_tags_of_resource(ResourceArn=arn)
    message = error.value.response["Error"]["Message"]
    assert message == f"Requested resource not found: ResourceArn: {arn} not found"
