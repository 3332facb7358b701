// A small model to begin with.
export const STARTER = `# A shop: customers and their orders in one table.
format = 1
name = "shop"
title = "Customers and orders"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
type_attribute = "Type"

[tables.Shop.global_indexes.GSI1]
partition_key = "GSI1PK"
sort_key = "GSI1SK"

[entities.Customer]
key = { partition = "CUSTOMER#{customer}", sort = "PROFILE" }
count = 10_000

[entities.Customer.attributes]
customer = { type = "S", max_bytes = 40 }
name = { type = "S", required = true, max_bytes = 80 }

[entities.Order]
key = { partition = "CUSTOMER#{customer}", sort = "ORDER#{placed_at:time(s)}#{order:ksuid}" }
count = 200_000

[entities.Order.indexes]
GSI1 = { partition = "ORDER#{order:ksuid}", sort = "ORDER#{order:ksuid}" }

[entities.Order.attributes]
customer = { type = "S", max_bytes = 40 }
order = { type = "S", format = "ksuid" }
placed_at = { type = "S", format = "rfc3339" }
status = { type = "S", enum = ["PLACED", "SHIPPED", "DELIVERED"], mutable = true }
total = { type = "N", required = true }

[[relationships]]
from = "Customer"
to = "Order"
kind = "1:n"
average = 20

[patterns."orders of a customer"]
operation = "query"
entity = "Order"
by = ["customer"]
order = "descending"
limit = 20
rate = 10

[patterns."an order"]
operation = "query"
entity = "Order"
by = ["order"]
rate = 5

[patterns."customer"]
operation = "get"
entity = "Customer"
by = ["customer"]
rate = 20

[patterns."place an order"]
operation = "put"
entity = "Order"
condition = "attribute_not_exists(PK)"
rate = 1
`;
