            -- Spans that are overdue from their "late from" on: the first instant of the day after the due day.
            arrayFilter(span -> span.1 < span.2, arrayMap(
                span -> (greatest(span.1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String}))), span.2),
                due_spans
            )) AS overdue
