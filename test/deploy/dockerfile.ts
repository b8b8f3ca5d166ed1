import { readFileSync } from 'node:fs'

export const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

/** What the stage of an image says about its ports and volumes. */
export function toImage(target: string): { exposed: number[]; volumes: string[] } {
  const stage = dockerfile.split(/^FROM /m).find((text) => text.split('\n')[0]?.endsWith(` AS ${target}`))
  if (stage === undefined) throw new Error(`no stage ${target}`)
  const words = (instruction: string) =>
    [...stage.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].flatMap(([, all = '']) => all.split(' '))
  return { exposed: words('EXPOSE').map(Number), volumes: words('VOLUME') }
}
