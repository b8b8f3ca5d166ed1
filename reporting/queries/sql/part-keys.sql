            toUnixTimestamp64Milli(due_date) != 0 AS due_known,
            toUnixTimestamp64Milli(first_due_date) != 0 AS first_due_known,
            toUnixTimestamp64Milli(reviewers_due_date) != 0 AS reviewers_due_known,
            toUnixTimestamp64Milli(completed_at) != 0 AS completed_known,
            toDate(due_date, {due_zone:String}) AS due_key,
            toDate(first_due_date, {due_zone:String}) AS first_due_key,
            toDate(reviewers_due_date, {due_zone:String}) AS reviewers_due_key,
            toDate(completed_at, {due_zone:String}) AS completed_key
