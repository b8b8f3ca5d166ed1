-- The ledger of the last day and since the beginning, what reconciliation found, and the engine's version.
WITH l AS (SELECT source, hour, acknowledged, waiting, stored, duplicate, failed, difference FROM rollcall.ledger)
SELECT
    (
        SELECT groupArray((source, a, w, s, d, f, x))
        FROM
        (
            SELECT
                source,
                sum(acknowledged) AS a,
                sum(waiting) AS w,
                sum(stored) AS s,
                sum(duplicate) AS d,
                sum(failed) AS f,
                sum(difference) AS x
            FROM l
            WHERE hour > toDateTime({now:DateTime64(3, 'UTC')}) - INTERVAL 25 HOUR OR difference != 0
            GROUP BY source
            ORDER BY source
        )
    ) AS ledger_day,
    (SELECT (sum(acknowledged), sum(waiting), sum(stored), sum(duplicate), sum(failed), sum(difference)) FROM l) AS ledger_all,
    (
        SELECT groupArray((kind, action, n))
        FROM
        (
            SELECT kind, action, toUInt32(count()) AS n
            FROM rollcall.drift_report
            WHERE found_at > {now:DateTime64(3, 'UTC')} - INTERVAL 30 DAY
            GROUP BY kind, action
            ORDER BY kind, action
        )
    ) AS findings,
    (SELECT (toUInt32(count()), toUnixTimestamp64Milli(max(checked_at))) FROM rollcall.reconcile_checks FINAL) AS reconciled,
    (SELECT toBool(count() > 0) FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    version() AS store_version
SETTINGS output_format_json_quote_64bit_integers = 0, max_execution_time = 60
