"""UpdateContributorInsights, DescribeContributorInsights, ListContributorInsights."""
import pytest

from tables import definitions, index, key_schema


@pytest.fixture
def watched(create):
    return create(
        KeySchema=key_schema("pk", "sk"),
        AttributeDefinitions=definitions(pk="S", sk="S", state="S"),
        GlobalSecondaryIndexes=[index("by-state", "state")],
    )


def status(client, **request):
    return client.describe_contributor_insights(**request)["ContributorInsightsStatus"]


def test_the_waiter_sees_insights_enabled(client, watched):
    assert status(client, TableName=watched) == "DISABLED"
    answer = client.update_contributor_insights(TableName=watched,
                                                ContributorInsightsAction="ENABLE")
    assert answer["ContributorInsightsStatus"] == "ENABLING"
    client.get_waiter("contributor_insights_enabled").wait(
        TableName=watched, WaiterConfig={"Delay": 1})
    described = client.describe_contributor_insights(TableName=watched)
    kinds = [rule.split("-")[1] for rule in described["ContributorInsightsRuleList"]]
    assert kinds == ["PKC", "SKC", "PKT", "SKT"]
    assert described["ContributorInsightsMode"] == "ACCESSED_AND_THROTTLED_KEYS"


def test_indexes_are_switched_by_themselves(client, watched):
    client.update_contributor_insights(
        TableName=watched,
        IndexName="by-state",
        ContributorInsightsAction="ENABLE",
        ContributorInsightsMode="THROTTLED_KEYS",
    )
    assert status(client, TableName=watched, IndexName="by-state") == "ENABLED"
    assert status(client, TableName=watched) == "DISABLED"
    listed = client.list_contributor_insights(TableName=watched)["ContributorInsightsSummaries"]
    assert [entry["IndexName"] for entry in listed] == ["by-state"]
    client.update_contributor_insights(
        TableName=watched, IndexName="by-state", ContributorInsightsAction="DISABLE"
    )
    assert client.list_contributor_insights(TableName=watched)["ContributorInsightsSummaries"] == []
