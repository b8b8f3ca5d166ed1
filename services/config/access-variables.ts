/** Who may see the dashboards: sign-in, roles and sessions. */
import { z } from 'zod'
import { roleRules } from './values/roles.ts'
import { networkList } from './networks.ts'
import { oneOf, setting, toEntries, webAddress, wholeNumber } from './setting.ts'

const text = z.string()
const list = setting((value) => toEntries(value).filter((entry) => entry !== ''))

const secretList = list.refine((secrets) => secrets.length > 0 && secrets.every((secret) => secret.length >= 32), {
  error: 'each must have at least 32 characters; make one with: openssl rand -base64 32',
})

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'must be the name of a header' })

const signInModes = ['none', 'password', 'oidc', 'proxy', 'none-and-i-know'] as const

export const accessVariables = {
  dashboardAuth: { default: 'none', schema: oneOf(signInModes) },
  dashboardUrl: { schema: webAddress },
  dashboardOwners: { schema: list },
  dashboardRoles: { schema: roleRules },
  dashboardManagerSees: { default: 'reports', schema: oneOf(['reports', 'reports-and-team']) },
  dashboardManagerSeesCompany: { default: 'none', schema: oneOf(['none', 'figures']) },
  dashboardSessionHours: { default: '12', schema: wholeNumber(1, 720) },
  dashboardSessionSecrets: { schema: secretList, isSecret: true },
  dashboardShareDays: { default: '30', schema: wholeNumber(0, 365) },
  dashboardAuditDays: { default: '365', schema: wholeNumber(1, 3_650) },
  oidcIssuer: {
    schema: text.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: 'must be an address such as https://login.example.com',
    }),
  },
  oidcClientId: { schema: text },
  oidcClientSecret: { schema: text, isSecret: true },
  oidcScopes: {
    default: 'openid email profile',
    schema: text.refine((value) => value.split(' ').includes('openid'), { error: 'must include openid' }),
  },
  oidcGroupsClaim: { default: 'groups', schema: text },
  oidcUserIdClaim: { schema: text },
  oidcEmail: { default: 'verified', schema: oneOf(['verified', 'assumed']) },
  oidcSignOut: { default: 'provider', schema: oneOf(['provider', 'here']) },
  dashboardTrustedProxies: { schema: networkList },
  dashboardProxyUserHeader: { default: 'X-Forwarded-Email', schema: headerName },
  dashboardProxyGroupsHeader: { default: 'X-Forwarded-Groups', schema: headerName },
} as const
