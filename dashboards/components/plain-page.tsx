import type { Child } from 'hono/jsx'
import { Layout } from './layout.tsx'
import { Crumb } from './page-links.tsx'
import type { PageContext } from '../page-context.ts'

type PlainPageProps = {
  context: PageContext
  title: string
  heading?: string
  /** The way back above the heading, and the purpose of the page. */
  crumb?: { href: string; name: string }
  lead?: Child
  sample?: boolean
  children?: Child
}

export function PlainPage({ heading, crumb, lead, children, ...frame }: PlainPageProps) {
  return (
    <Layout {...frame}>
      <div class="access">
        <Crumb to={crumb} />
        <h1>{heading ?? frame.title}</h1>
        {lead === undefined ? null : <p class="quiet">{lead}</p>}
        {children}
      </div>
    </Layout>
  )
}

export type Problem = {
  title: string
  explanation: string
  retry: { href: string; name: string }
}

export function ProblemPage({ context, title, explanation, retry }: Problem & { context: PageContext }) {
  return (
    <CardPage context={context} title={title}>
      <p>{explanation}</p>
      <p>
        <a class="button primary" href={retry.href}>
          {retry.name}
        </a>
      </p>
    </CardPage>
  )
}

type CardPageProps = Pick<PlainPageProps, 'context' | 'title' | 'heading' | 'children'>

/** A page of one question or one message, in the middle. */
export function CardPage({ context, title, heading = title, children }: CardPageProps) {
  return (
    <Layout context={context} title={title}>
      <div class="card">
        <h1>{heading}</h1>
        {children}
      </div>
    </Layout>
  )
}

/** The head of a page without a scope. `children`: in small letters. */
export function PlainHead({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        <p class="stamp">{children}</p>
      </div>
    </div>
  )
}
