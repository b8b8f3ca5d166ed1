/**
 * The documentation as a site: `npm run docs`. The Markdown files read the same in the repository; the build fails on a
 * link that leads nowhere. Pages of metrics and of the API are made from the tables of the code (metric-pages.ts, api-pages.ts).
 */
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { defineConfig, type DefaultTheme, type MarkdownRenderer, type SiteConfig } from 'vitepress'
import { apiPages } from './api-pages.ts'
import { metricPages } from './metric-pages.ts'

const root = resolve(import.meta.dirname, '../..')
/** Pages outside of docs/ that its pages link to. */
const beside = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'deploy/kubernetes/README.md',
  'test/README.md',
]
const leftOut = globSync('**/*.md', { cwd: root, exclude: ['node_modules/**', 'docs/**', ...beside] })
const isLeftOut = (page: string) => leftOut.includes(page)
const description = 'Turns the webhooks of a learning platform into useful numbers.'

/** The sidebar: pages of docs/, and those made of the code. */
const sections: { text: string; pages: string[]; made?: DefaultTheme.SidebarItem }[] = [
  {
    text: 'Numbers',
    pages: 'metrics-for-managers METRICS golden-company metrics-coverage'.split(' '),
    made: {
      text: 'One by one',
      collapsed: true,
      items: metricPages().map(({ key, title }) => ({ text: title, link: `/metrics/${key}` })),
    },
  },
  {
    text: 'Analysts',
    pages: 'data-dictionary sql mcp api'.split(' '),
    made: {
      text: 'API reference',
      collapsed: true,
      items: apiPages().map(({ area }) => ({ text: area, link: `/reference/${area}` })),
    },
  },
  {
    text: 'Owners',
    pages:
      'first-hour install settings platform-setup platform reconciliation access digest reminders cli sizing clickhouse backup retention tracing moving-up runbooks'.split(
        ' ',
      ),
  },
  {
    text: 'Contributors',
    pages:
      '../ARCHITECTURE ../CONTRIBUTING release trust performance decisions/README ../CHANGELOG ../SECURITY'.split(
        ' ',
      ),
  },
]
const unlisted = globSync('docs/*.md', { cwd: root })
  .map((path) => basename(path, '.md'))
  .filter((name) => name !== 'README' && !sections.some(({ pages }) => pages.includes(name)))
if (unlisted.length > 0)
  throw new Error(`Not in the sidebar (docs/.vitepress/config.ts): ${unlisted.join(', ')}`)

export default defineConfig({
  title: 'Rollcall',
  description,
  srcDir: root,
  srcExclude: leftOut,
  rewrites: toAddress,
  cleanUrls: true,
  markdown: { config: linkPages },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/first-hour' },
      { text: 'Metrics', link: '/metrics-for-managers' },
      { text: 'API', link: '/reference/metrics' },
      { text: 'Trust', link: '/trust' },
      { text: 'Architecture', link: '/ARCHITECTURE' },
    ],
    sidebar: sections.map(({ text, pages, made }) => ({
      text,
      items: [...pages.map(toItem), ...(made === undefined ? [] : [made])],
    })),
  },
  buildEnd: writeForMachines,
})

function toAddress(page: string): string {
  return page === 'README.md' ? 'start.md' : page.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
}

function toItem(name: string): DefaultTheme.SidebarItem {
  const path = relative(root, join(root, 'docs', `${name}.md`))
  return {
    text: titleOf(readFileSync(join(root, path), 'utf8')),
    link: `/${toAddress(path).replace(/(index)?\.md$/, '')}`,
  }
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}

/** Links between pages lead to their addresses here. A link to another file of the repository is its text only: the site has no such file. */
function linkPages(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('link-pages', ({ tokens, env }) => {
    let isUnlinked = false
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href') ?? ''
      if (token.type === 'link_open' && !/^(\w+:|#|\/)/.test(href)) {
        const [path = '', hash] = href.split('#')
        const target = relative(root, resolve(dirname(env.realPath ?? env.path), path))
        if (target.endsWith('.md') && !isLeftOut(target))
          token.attrSet('href', `/${toAddress(target)}${hash === undefined ? '' : `#${hash}`}`)
        else isUnlinked = existsSync(join(root, target))
      }
      if (!isUnlinked || !token.type.startsWith('link_')) continue
      token.tag = 'span'
      token.attrs = null
      if (token.type === 'link_close') isUnlinked = false
    }
  })
}

/** llms.txt, and every page as Markdown under its address with .md: for programs, instead of HTML. */
function writeForMachines({ outDir, pages, rewrites, dynamicRoutes }: SiteConfig): void {
  const made = new Map(dynamicRoutes.routes.map(({ path, content }) => [path, content ?? '']))
  const lines = pages.map((page) => {
    const address = rewrites.map[page] ?? page
    const target = join(outDir, address)
    mkdirSync(dirname(target), { recursive: true })
    const content = made.get(page)
    if (content === undefined) copyFileSync(join(root, page), target)
    else writeFileSync(target, content)
    return `- [${titleOf(content ?? readFileSync(join(root, page), 'utf8'))}](/${address})`
  })
  writeFileSync(
    join(outDir, 'llms.txt'),
    `# Rollcall\n\n> ${description}\n\n## Documentation\n\n${lines.sort().join('\n')}\n`,
  )
}
