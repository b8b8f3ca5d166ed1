import { Layout } from './layout.tsx'
import type { PageContext } from '../page-context.ts'

export type Problem = {
  title: string
  explanation: string
  details?: string[]
  retry: { href: string; name: string }
}

/** The failure, its cause, and the way out. The frame stays. */
export function ProblemPage({ context, title, explanation, details = [], retry }: Problem & { context: PageContext }) {
  return (
    <Layout context={context} title={title}>
      <div class="problem">
        <h1>{title}</h1>
        <p>{explanation}</p>
        {details.length === 0 ? null : (
          <ul>
            {details.map((detail) => (
              <li>{detail}</li>
            ))}
          </ul>
        )}
        <p>
          <a class="button primary" href={retry.href}>
            {retry.name}
          </a>
        </p>
      </div>
    </Layout>
  )
}
