import { readFileSync } from 'node:fs'

export type Stage = {
  name: string
  from: string
  /** Of the build context, as they are named in COPY. */
  copied: string[]
  /** Packages that were removed before node_modules was copied from another stage. */
  command: string[]
  exposed: number[]
  user: string | undefined
  runs: string[]
}

/** As much of the Dockerfile as the tests ask for: its stages by name. */
export function readDockerfile(): Map<string, Stage> {
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const line of text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/)
    if (word === 'FROM') {
      const [from = '', , name = ''] = rest
      stage = { name, from, copied: [], command: [], exposed: [], user: undefined, runs: [] }
      stages.set(name, stage)
    }
    if (stage === undefined) continue
    if (word === 'COPY' && !rest[0]?.startsWith('--from')) stage.copied.push(...rest.slice(0, -1))
    if (word === 'CMD' || word === 'ENTRYPOINT') stage.command = JSON.parse(rest.join(' ')) as string[]
    if (word === 'EXPOSE') stage.exposed.push(...rest.map(Number))
    if (word === 'USER') stage.user = rest[0]
    if (word === 'RUN') stage.runs.push(rest.join(' '))
  }
  return stages
}

/** What an image has of the sources, and which packages were taken out of it. */
export function toImage(stages: ReadonlyMap<string, Stage>, target: string) {
  const own = stages.get(target)
  const base = stages.get(own?.from ?? '')
  if (own === undefined || base === undefined) throw new Error(`no stage ${target} on a base of ours`)
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const source = new RegExp(`AS ${target}\\n(?:(?!FROM)[\\s\\S])*?COPY --from=(\\S+) /app/node_modules`).exec(text)?.[1]
  const packages = stages.get(source ?? '')
  const before = stages.get(packages?.from ?? '')
  const runs = [...(before?.runs ?? []), ...(packages?.runs ?? [])].join(' ')
  const removed = [...runs.matchAll(/node_modules\/(\S+)/g)].map(([, name = '']) => name)
  return {
    sources: [...base.copied, ...own.copied],
    removed,
    command: own.command,
    user: own.user,
    exposed: own.exposed,
  }
}
