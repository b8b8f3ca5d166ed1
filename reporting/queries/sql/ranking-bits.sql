            -- Only the bits that rankings need (toRankingFacts): the others cost time.
            toUInt64(bitAnd(state, 15)) + bitShiftLeft(toUInt64(
                (due_known AND due_key < today_key) + 8 * due_known + 64 * completed_known + 128 * (class = 0) + 256 * (class = 1)
                + 16384 * (completed_known AND due_known AND completed_key <= due_key)
            ), 24) AS ranking_bits,
