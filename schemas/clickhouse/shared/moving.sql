                -- Only what can differ between the two moments of a question: a state that began or ended between them, a due date whose day passes between
                -- them, and, where the scope before matters, due dates at an edge of a count of days and the states of people who changed. A
                -- superset: a row in doubt is compared. Equal rows are kept or left out together, and a state that is valid at both moments, too.
                AND (
                    (valid_from > {from:DateTime64(3, 'UTC')} AND valid_from <= {moved_until:DateTime64(3, 'UTC')})
                    OR (valid_to > {from:DateTime64(3, 'UTC')} AND valid_to <= {moved_until:DateTime64(3, 'UTC')})
                    OR (due_date > {passed_from:DateTime64(3, 'UTC')} AND due_date <= {moved_until:DateTime64(3, 'UTC')})
                    OR (first_due_date > {passed_from:DateTime64(3, 'UTC')} AND first_due_date <= {moved_until:DateTime64(3, 'UTC')}) -- unless brief
                    OR (reviewers_due_date > {passed_from:DateTime64(3, 'UTC')} AND reviewers_due_date <= {moved_until:DateTime64(3, 'UTC')}) -- unless brief
                    OR (class = 0 AND intDiv(toUnixTimestamp64Milli({moved_until:DateTime64(3, 'UTC')}) - toUnixTimestamp64Milli(due_date), 86400000) IN {edge_days:Array(Int32)}) -- unless brief
                    OR user_id IN ( -- unless brief
                        SELECT user_id FROM rollcall.user_versions -- unless brief
                        WHERE (valid_from > {from:DateTime64(3, 'UTC')} AND valid_from <= {moved_until:DateTime64(3, 'UTC')}) -- unless brief
                            OR (valid_to > {from:DateTime64(3, 'UTC')} AND valid_to <= {moved_until:DateTime64(3, 'UTC')}) -- unless brief
                            -- Teams named only after a moment, and after now, do not count at it. -- unless brief
                            OR (teams_seen_at > greatest({from:DateTime64(3, 'UTC')}, {now:DateTime64(3, 'UTC')}) AND teams_seen_at <= {moved_until:DateTime64(3, 'UTC')}) -- unless brief
                        UNION ALL -- unless brief
                        -- Who is under the managers at one moment only. -- unless brief
                        SELECT person FROM -- unless brief
                        ( -- unless brief
                            SELECT arrayJoin(JSONExtract(materialize({led_until:String}), 'Array(String)')) AS person -- unless brief
                            UNION ALL -- unless brief
                            SELECT arrayJoin(JSONExtract(materialize({under_from:String}), 'Array(String)')) AS person -- unless brief
                        ) -- unless brief
                        GROUP BY person HAVING count() = 1 -- unless brief
                    ) -- unless brief
                )
