            toUnixTimestamp64Milli(created_at) AS created_ms,
            toUnixTimestamp64Milli(completed_at) AS completed_ms,
            toUnixTimestamp64Milli(first_submitted_at) AS submitted_ms,
            toUnixTimestamp64Milli(first_graded_at) AS graded_ms,
            multiIf(
                bitTest(state, 12), -1,
                NOT bitTest(state, 0), 73183493944770560 + created_ms,
                completed_ms = 0, -1,
                greatest(0, completed_ms - created_ms)
            ) AS to_complete,
            multiIf(
                bitTest(state, 14) OR bitTest(state, 17), -1,
                class = 1, 217298682020626432 + submitted_ms,
                bitTest(state, 3) AND graded_ms >= submitted_ms, bitShiftLeft(2::Int64, 56) + graded_ms - submitted_ms,
                -1
            ) AS to_grade,
            if(class = 1, 289356276058554368 + submitted_ms, -1) AS waiting
