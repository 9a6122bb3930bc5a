import { appPermissions } from '../connected-apps/permissions.ts'

/** All scopes: permissions, and `offline_access`, which hosts ask for to get a refresh token. */
export const scopes: readonly string[] = [...appPermissions, 'offline_access']

export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  registration: '/oauth/register',
} as const

/** The tool server's addresses (RFC 8707): of the organization chosen at the sign-in, or of one organization. */
export function resourceOf(issuer: string, sent: string): { resource: string; orgId: string | null } | null {
  const bare = sent.replace(/\/$/, '')
  if (bare === issuer || bare === `${issuer}/mcp`) return { resource: `${issuer}/mcp`, orgId: null }
  const [, orgId] = /\/mcp\/([0-9a-f-]{36})$/i.exec(bare) ?? []
  if (orgId === undefined || bare.toLowerCase() !== `${issuer}/mcp/${orgId}`.toLowerCase()) return null
  return { resource: `${issuer}/mcp/${orgId.toLowerCase()}`, orgId: orgId.toLowerCase() }
}
