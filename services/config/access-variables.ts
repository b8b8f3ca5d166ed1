/** Who may see the dashboards: sign-in, roles and sessions. */
import { z } from 'zod'
import { roleRules } from './values/roles.ts'
import { networkList } from './networks.ts'
import { oneOf, setting, toEntries, webAddress, wholeNumber } from './setting.ts'

const text = z.string()
const list = setting((given) => toEntries(given).filter((entry) => entry !== ''))

const secretList = list.refine((secrets) => secrets.length > 0 && secrets.every((secret) => secret.length >= 32), {
  error: 'each must have at least 32 characters; make one with: openssl rand -base64 32',
})

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'must be the name of a header' })

const signInModes = ['none', 'password', 'oidc', 'proxy', 'none-and-i-know'] as const

/** In the order of `.env.example`. */
export const accessVariables = {
  dashboardAuth: {
    meaning:
      'How people sign in to the dashboards: none (only where HOST is of this machine), password, oidc, proxy, or ' +
      'none-and-i-know (everybody who reaches the port is an owner). See docs/access.md.',
    default: 'none',
    schema: oneOf(signInModes),
  },
  dashboardUrl: {
    meaning: 'Address at which people open the dashboards, such as https://rollcall.example.com. Needed for oidc.',
    schema: webAddress,
  },
  dashboardOwners: { meaning: 'Logins (e-mails) that are always owners, a,b,...', schema: list },
  dashboardRoles: {
    meaning:
      'Roles of the groups that oidc or proxy says, role=group,...; the first that fits wins, the group * is everybody. ' +
      'Roles: owner, analyst, manager, viewer. What the owner says at /access goes before.',
    schema: roleRules,
  },
  dashboardManagerSees: {
    meaning:
      'The people that a manager sees: reports (direct and indirect, of today), or reports-and-team (also her own teams).',
    default: 'reports',
    schema: oneOf(['reports', 'reports-and-team']),
  },
  dashboardManagerSeesCompany: {
    meaning:
      'What a manager sees of the company beside their own people: none, or figures (rates of everybody and of large teams and challenges, rounded; see docs/access.md).',
    default: 'none',
    schema: oneOf(['none', 'figures']),
  },
  dashboardSessionHours: {
    meaning: 'After how many hours people sign in again.',
    default: '12',
    schema: wholeNumber(1, 720),
  },
  dashboardSessionSecrets: {
    meaning:
      'Secrets that seal session cookies, a,b,..., at least 32 characters each; the first seals, all open. ' +
      'Default: made at the first start and kept in DATA_DIR. Several dashboards need the same.',
    schema: secretList,
    isSecret: true,
  },
  dashboardShareDays: {
    meaning:
      'How many days a link to a page may live at most that its reader opens without signing in. 0: nobody can make or open one.',
    default: '30',
    schema: wholeNumber(0, 365),
  },
  dashboardAuditDays: {
    meaning: 'How long the audit keeps who signed in, exported and changed what.',
    default: '365',
    schema: wholeNumber(1, 3_650),
  },
  oidcIssuer: {
    meaning: 'Address of the OpenID provider, as its discovery says it.',
    schema: text.refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''), {
      error: 'must be an address such as https://login.example.com',
    }),
  },
  oidcClientId: {
    meaning: 'Id of this application at the provider. Its redirect address is DASHBOARD_URL/sign-in/callback.',
    schema: text,
  },
  oidcClientSecret: { meaning: 'Its secret. Not set: a public client, with PKCE alone.', schema: text, isSecret: true },
  oidcScopes: {
    meaning: 'What is asked of the provider; some need one more for groups.',
    default: 'openid email profile',
    schema: text.refine((given) => given.split(' ').includes('openid'), { error: 'must include openid' }),
  },
  oidcGroupsClaim: { meaning: "The claim with a person's groups or roles.", default: 'groups', schema: text },
  oidcUserIdClaim: {
    meaning: "A claim with the person's id at the platform. Default: the person is found by e-mail.",
    schema: text,
  },
  oidcEmail: {
    meaning:
      'Which e-mails are believed: verified (email_verified is true), or assumed, for a provider that does not send it ' +
      'and in which people cannot choose their e-mail.',
    default: 'verified',
    schema: oneOf(['verified', 'assumed']),
  },
  oidcSignOut: {
    meaning:
      'Where "Sign out" ends the session: provider (also there, if the provider offers it; register DASHBOARD_URL/sign-in as its ' +
      'sign-out address), or here.',
    default: 'provider',
    schema: oneOf(['provider', 'here']),
  },
  dashboardTrustedProxies: {
    meaning:
      'Networks of reverse proxies before the dashboards, in CIDR notation: a,b,... Their X-Forwarded-For says who sends, for limits of ' +
      'sign-in and the audit; with proxy, their headers say who signed in (needed there). Default: none is believed.',
    schema: networkList,
  },
  dashboardProxyUserHeader: {
    meaning: 'Header with the e-mail of the person. The proxy must remove it from what browsers send.',
    default: 'X-Forwarded-Email',
    schema: headerName,
  },
  dashboardProxyGroupsHeader: {
    meaning: 'Header with the groups of the person, a,b,...',
    default: 'X-Forwarded-Groups',
    schema: headerName,
  },
} as const
