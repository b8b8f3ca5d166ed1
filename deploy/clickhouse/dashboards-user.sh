#!/bin/bash
# The image of ClickHouse runs this at its start: the user of the dashboards, who has the role that dashboards.sql has just made.
set -euo pipefail
quoted=${CLICKHOUSE_DASHBOARDS_PASSWORD//\\/\\\\}
quoted=\'${quoted//\'/\\\'}\'
clickhouse client --user "$CLICKHOUSE_USER" --password "$CLICKHOUSE_PASSWORD" --multiquery <<SQL
CREATE USER IF NOT EXISTS dashboards IDENTIFIED BY $quoted;
ALTER USER dashboards IDENTIFIED BY $quoted;
GRANT rollcall_dashboards TO dashboards;
SQL
