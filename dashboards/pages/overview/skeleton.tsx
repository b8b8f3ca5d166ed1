import { t, type Message } from '../../../language/translate.ts'

type SkeletonProps = { heading: string; cards: readonly Message[] }

/**
 * What stands on a page whose numbers are still being read: the same boxes, so that nothing jumps when they come. The style sheet
 * shows it only while nothing follows it, so no script has to take it away; for screen readers there is nothing yet.
 */
export function Skeleton({ heading, cards }: SkeletonProps) {
  return (
    <div class="skeleton" aria-hidden="true">
      <div class="page-head">
        <div>
          <p class="skeleton-heading">{heading}</p>
          <p class="stamp">
            <Bone of={60} />
          </p>
        </div>
      </div>
      <div class="filters">
        {[16, 16, 22, 16, 28].map((of) => (
          <span class="pill">
            <Bone of={of} />
          </span>
        ))}
      </div>
      <p class="changes-strip">
        <Bone of={68} />
      </p>
      <div class="headlines">
        {cards.map((name) => (
          <div class="headline">
            <p class="skeleton-name">{t(name)}</p>
            <p class="headline-value">
              <Bone of={8} />
            </p>
            <p class="headline-of">
              <Bone of={24} />
            </p>
            <p class="change"></p>
            <div class="spark"></div>
            <p class="headline-foot skeleton-foot"></p>
          </div>
        ))}
      </div>
      <div class="attention skeleton-block"></div>
      <div class="figure skeleton-block"></div>
    </div>
  )
}

/** As wide as so many spaces: letters would be shown in forced colours. */
function Bone({ of }: { of: number }) {
  return <span class="bone">{'\u00a0'.repeat(of)}</span>
}
