import { t } from '../../language/translate.ts'
import type { Format } from '../../language/format.ts'
import { PageLinks } from '../components/page-links.tsx'

type ListFootProps = {
  format: Format
  label: string
  /** Rows before these. */
  from: number
  shown: number
  total: number
  /** Rows on a page. */
  most: number
  /** Default: the list has no pages. */
  toPage: ((page: string) => string) | undefined
  /** Where all rows are. */
  all: string | undefined
}

/** "1–10 of 102", and the ways on. Nothing under a list that is whole. */
export function ListFoot({ format, label, from, shown, total, most, toPage, all }: ListFootProps) {
  if (shown >= total && from === 0) return null
  const page = from / most + 1
  const position = { first: format.count(from + 1), last: format.count(from + shown), total: format.count(total) }
  return (
    <PageLinks
      label={label}
      previous={toPage !== undefined && from > 0 ? toPage(String(page - 1)) : null}
      next={toPage !== undefined && from + shown < total ? toPage(String(page + 1)) : null}
      all={all ?? null}
    >
      <span>{t('{first}–{last} of {total}', position)}</span>
    </PageLinks>
  )
}
