# Orders and the sessions of those who place them.
variable "stage" {
  type    = string
  default = "dev"
}

variable "region" {
  type = string
}

locals {
  key_attribute = "PK"
  tags          = { team = "orders" }
}

resource "aws_kms_key" "orders" {
  enable_key_rotation = true
}

resource "aws_dynamodb_table" "orders" {
  name         = "${var.stage}-orders"
  billing_mode = "PROVISIONED"
  read_capacity  = 5
  write_capacity = var.write_units
  hash_key     = local.key_attribute
  range_key    = "SK"

  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"

  attribute {
    name = "PK"
    type = "S"
  }
  attribute {
    name = "SK"
    type = "S"
  }
  attribute {
    name = "Country"
    type = "S"
  }
  attribute {
    name = "PlacedAt"
    type = "N"
  }

  local_secondary_index {
    name            = "ByTime"
    range_key       = "PlacedAt"
    projection_type = "KEYS_ONLY"
  }

  global_secondary_index {
    name               = "ByCountry"
    projection_type    = "INCLUDE"
    non_key_attributes = ["Status", "Amount"]
    read_capacity      = 2
    write_capacity     = 3

    key_schema {
      attribute_name = "Country"
      key_type       = "HASH"
    }
    key_schema {
      attribute_name = "PlacedAt"
      key_type       = "RANGE"
    }
  }

  ttl {
    attribute_name = "ExpiresAt"
    enabled        = true
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.orders.arn
  }

  tags = local.tags

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_dynamodb_table" "sessions" {
  name                        = "sessions-${var.region}"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  hash_key                    = "Token"
  deletion_protection_enabled = true

  attribute {
    name = "Token"
    type = "B"
  }

  replica {
    region_name = "eu-central-1"
  }
}

module "audit" {
  source = "./audit"
}
