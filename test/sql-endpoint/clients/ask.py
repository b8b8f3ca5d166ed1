"""clickhouse-connect: HTTP, Native blocks."""

import json
import os

import clickhouse_connect

client = clickhouse_connect.get_client(
    host="127.0.0.1", port=int(os.environ["SQL_PORT"]), username="any", password=os.environ["TOKEN"], database="rollcall"
)
answer = client.query("SELECT count() AS assigned, countIf(overdue) AS overdue FROM assignments")
values = client.query(
    "SELECT toDate('2026-01-02'), [1, 2], map('a', 1), CAST(NULL AS Nullable(String)), toLowCardinality('b')"
    " FROM numbers({rows:UInt8})",
    parameters={"rows": 1},
)
try:
    client.query("SELECT * FROM people")
    refused = ""
except Exception as error:
    refused = str(error)
print(
    json.dumps(
        {
            "assigned": answer.result_rows[0][0],
            "overdue": answer.result_rows[0][1],
            "values": json.loads(json.dumps(values.result_rows[0], default=str)),
            "refused": "ACCESS_DENIED" in refused,
        }
    )
)
