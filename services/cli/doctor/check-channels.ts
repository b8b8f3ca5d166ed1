/** Sends a test message to each team channel, on request only: people see it. */
import { channelKindOf, postMessage } from '../../../digest/channel.ts'
import type { Config } from '../../config/config.ts'
import type { Finding } from './finding.ts'

const kindNames = { slack: 'Slack', teams: 'Microsoft Teams', text: 'plain text' }

/** `sent`: a line for each channel that took it. */
export async function checkChannels(config: Config): Promise<{ findings: Finding[]; sent: string[] }> {
  const { digestChannelUrl, alertChannelUrl, dashboardUrl = '' } = config
  const findings: Finding[] = []
  const sent: string[] = []
  const channels = { DIGEST_CHANNEL_URL: digestChannelUrl, ALERT_CHANNEL_URL: alertChannelUrl }
  for (const [setting, url] of Object.entries(channels)) {
    if (url === undefined) continue
    const { state, detail } = await postMessage(url, {
      title: 'Test message from Rollcall',
      body: [{ text: `What ${setting} brings will look like this.` }],
      link: { text: 'Open Rollcall', href: dashboardUrl },
    })
    if (state === 'sent') sent.push(`Sent a test message to ${setting} (${kindNames[channelKindOf(url)]}).`)
    else
      findings.push({
        code: 'channel_refuses',
        severity: 'warning',
        what: `The channel of ${setting} did not take a test message. ${detail}`,
        why: 'Digests or alerts for this channel are lost.',
        todo: `Make a new incoming webhook there, set ${setting}, and start Rollcall again.`,
      })
  }
  if (sent.length + findings.length === 0) sent.push('No team channel is set: DIGEST_CHANNEL_URL, ALERT_CHANNEL_URL.')
  return { findings, sent }
}
