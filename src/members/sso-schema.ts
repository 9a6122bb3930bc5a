import { z } from 'zod'
import { toAsciiHost } from '../normalize/domain.ts'
import { list } from '../platform/http/collections.ts'
import { id, literal, parsedText, refuse, strictBoolean, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { newcomerRoles } from './sso/connection.ts'

const domain = parsedText((value) => toAsciiHost(value) ?? refuse('a domain is such as acme.example'), {
  maxLength: 253,
})

export const PutSso = z
  .object({
    issuer: text({ min: 1, max: 500 }).describe(
      'The issuer of the OpenID provider, exactly as it names itself.',
    ),
    client_id: text({ min: 1, max: 500 }).describe('The id of Crosswalk at the provider.'),
    client_secret: text({ min: 1, max: 1_000 })
      .optional()
      .describe('The client secret from the provider. Needed for a new issuer or client id. Never shown.'),
    domains: list(domain, { min: 1, max: 50 }).describe(
      'The domains of the e-mail addresses that may sign in.',
    ),
    newcomer_role: literal(...newcomerRoles)
      .nullable()
      .describe(
        'The role of people who are not members yet; null: only members and invited people may sign in.',
      ),
    is_required: strictBoolean().describe(
      'Whether people of the domains reach the organization only with single sign-on.',
    ),
  })
  .meta({ title: 'PutSso' })

/** Accepts only console pages: the link must not lead to another site. */
const returnTo = parsedText((value) => {
  const url = URL.parse(value, 'https://console.invalid')
  const isPage =
    url !== null &&
    // Refuse these: browsers drop line breaks, and read a backslash as a slash.
    !/[\p{Cc}\\]/u.test(value) &&
    /^\/(?!\/)/.test(value) &&
    url.origin === 'https://console.invalid' &&
    /^\/console(\/(?!api(\/|$))|$)/.test(url.pathname)
  return isPage
    ? `${url.pathname}${url.search}${url.hash}`
    : refuse('this must be a path that begins with /console')
})

export const StartSso = z.object({
  org_id: id().describe('The organization.'),
  return_to: returnTo.optional().describe('The page of the console to which the browser returns.'),
  confirm: literal('true', 'false')
    .optional()
    .describe('Whether to confirm the session instead of signing in.'),
})

const returned = text({ max: 5_000 }).optional()

/** Accepts unknown parameters, because providers may add some. */
export const ReturnSso = z
  .object({
    code: returned.describe('The authorization code.'),
    state: returned.describe('The state of the request.'),
    iss: returned.describe('The issuer that answers (RFC 9207).'),
    error: returned.describe('The reason of a refusal.'),
  })
  .catchall(z.unknown())

export const SsoPath = z.object({ org_id: id().describe('The id of the organization.') })

export const Sso = z
  .object({
    redirect_uri: shown.text(
      'The address to register at the provider.',
      'https://crosswalk.example/console/api/sso/callback/…',
    ),
    sign_in_url: shown.text(
      'The address at which people of the organization sign in.',
      'https://crosswalk.example/console/api/sso/start?org_id=…',
    ),
    connection: z
      .object({
        issuer: shown.text('The issuer of the OpenID provider.', 'https://login.acme.example'),
        client_id: shown.text('The id of Crosswalk at the provider.', 'crosswalk'),
        domains: z.array(z.string()).meta({
          description: 'The domains of the e-mail addresses that may sign in.',
          examples: [['acme.example']],
        }),
        newcomer_role: shown
          .word(
            'NewcomerRole',
            newcomerRoles,
            'The role of people who are not members yet; null: they are refused.',
          )
          .nullable(),
        is_required: shown.flag(
          'Whether people of the domains reach the organization only with single sign-on.',
        ),
        is_tested: shown.flag('Whether somebody signed in with this client of the provider.', true),
        version: shown.version(),
        updated_at: shown.time('When the settings changed last.'),
      })
      .meta({ title: 'SsoConnection' })
      .nullable()
      .meta({ description: 'The provider; null: there is none.' }),
  })
  .meta({ title: 'Sso' })
