"""Exact texts for tables and indexes that are refused."""
import pytest

from messages import INVALID, case, check
from tables import definitions, index, key_schema

UNITS = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
STREAM_OFF = {"StreamEnabled": False, "StreamViewType": "KEYS_ONLY"}


def create(name, text, keys=("pk",), types=None, **more):
    more.setdefault("BillingMode", "PAY_PER_REQUEST")
    if isinstance(keys, tuple):
        keys = key_schema(*keys)
    return case(name, "CreateTable", text, TableName="refused-table", KeySchema=keys,
                AttributeDefinitions=definitions(**(types or {"pk": "S"})), **more)


def element(name, kind):
    return {"AttributeName": name, "KeyType": kind}


TWO = {"pk": "S", "sk": "S"}
CASES = [
    create("the first key is the partition key", "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
           [element("pk", "RANGE")]),
    create("the second key is the sort key", "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
           [element("pk", "HASH"), element("sk", "HASH")], TWO),
    create("the keys are different attributes",
           "Both the Hash Key and the Range Key element in the KeySchema have the same name", ("pk", "pk"), TWO),
    create("every key has a definition", "Invalid KeySchema: Some index key attribute have no definition", ("pk", "sk")),
    create("definitions are those of the keys",
           INVALID + "Some index key attributes are not defined in AttributeDefinitions. "
           "Keys: [pk], AttributeDefinitions: [other]", ("pk",), {"other": "S"}),
    create("every definition is used",
           INVALID + "Number of attributes in KeySchema does not exactly match number of attributes defined in "
           "AttributeDefinitions", ("pk",), TWO),
    create("a local index needs a sort key",
           INVALID + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
           ("pk",), TWO, LocalSecondaryIndexes=[index("local", "pk", "sk")]),
    create("an index name occurs once", INVALID + "Duplicate index name: twice", ("pk",), TWO,
           GlobalSecondaryIndexes=[index("twice", "sk"), index("twice", "sk")]),
    create("the list of global indexes is not empty", INVALID + "List of GlobalSecondaryIndexes is empty",
           GlobalSecondaryIndexes=[]),
    create("the list of local indexes is not empty", INVALID + "List of LocalSecondaryIndexes is empty", ("pk", "sk"), TWO,
           LocalSecondaryIndexes=[]),
    create("there are 5 local indexes at most", INVALID + "Number of LocalSecondaryIndexes exceeds per-table limit of 5",
           ("pk", "sk"), TWO, LocalSecondaryIndexes=[index(f"local{number}", "pk", "sk") for number in range(6)]),
    create("there are 20 global indexes at most", INVALID + "GlobalSecondaryIndex count exceeds the per-table limit of 20",
           ("pk", "sk"), TWO, GlobalSecondaryIndexes=[index(f"global{number}", "sk") for number in range(21)]),
    create("INCLUDE names attributes in a global index", INVALID + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
           ("pk",), TWO, GlobalSecondaryIndexes=[index("global", "sk", projection="INCLUDE")]),
    create("INCLUDE names attributes in a local index", INVALID + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
           ("pk", "sk"), TWO, LocalSecondaryIndexes=[index("local", "pk", "sk", projection="INCLUDE")]),
    create("a stream that is off has no view",
           INVALID + "Table is being created with a stream disabled, UpdateViewType should not be specified",
           StreamSpecification=STREAM_OFF),
    create("throughput has a limit", "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
           BillingMode="PROVISIONED", ProvisionedThroughput=UNITS | {"ReadCapacityUnits": 1000000000001}),
    create("a table on demand has no throughput",
           INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
           ProvisionedThroughput=UNITS),
    create("a provisioned table has throughput",
           INVALID + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
           BillingMode="PROVISIONED"),
    case("an update changes something", "UpdateTable",
         "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, "
         "ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
         "OnDemandThroughput, WarmThroughput or TableClass is required", TableName="TABLE"),
    case("a table to describe is there", "DescribeTable", "Requested resource not found: Table: no-such-table not found",
         code="ResourceNotFoundException", TableName="no-such-table"),
    case("a table to delete is there", "DeleteTable", "Requested resource not found: Table: no-such-table not found",
         code="ResourceNotFoundException", TableName="no-such-table"),
    case("a table to update is there", "UpdateTable", "Requested resource not found: Table: no-such-table not found",
         code="ResourceNotFoundException", TableName="no-such-table", BillingMode="PAY_PER_REQUEST"),
]


@pytest.mark.parametrize("operation, request_, code, text", CASES)
def test_the_error_is_worded_as_by_aws(raw, table, operation, request_, code, text):
    check(raw, table, operation, request_, code, text)
