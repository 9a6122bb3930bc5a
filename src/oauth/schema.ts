import { z } from 'zod'
import { appPermissions } from '../connected-apps/permissions.ts'
import { appPermission } from '../connected-apps/schema.ts'
import { list } from '../platform/http/collections.ts'
import { id, literal, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

export const ConsentPath = z.object({ uid: text({ min: 1, max: 100 }).describe('The id of the request.') })

const permissions = z.array(z.string())

export const Consent = z
  .object({
    client_name: shown.text('The name that the app gives itself.', 'Claude'),
    client_host: shown.text(
      'The host that proves the name of the app; without proof, the host to which the browser returns.',
      'claude.ai',
    ),
    client_kind: shown.word(
      'ConsentClientKind',
      ['verified', 'unknown', 'on_this_computer'],
      'Whether the address of the app proves its name.',
    ),
    redirect_host: shown.text('Where the browser goes afterwards.', 'claude.ai'),
    orgs: z
      .array(
        z
          .object({
            org_id: shown.id('The organization.'),
            org_name: shown.text('The name of the organization.', 'Acme'),
            permissions: permissions.meta({
              description: 'The permissions that the person may give to the app there.',
              examples: [['contacts:read']],
            }),
          })
          .meta({ title: 'ConsentOrganization' }),
      )
      .describe('The organizations to which the person may connect the app.'),
    checked: permissions.meta({ description: 'The preselected values.', examples: [['contacts:read']] }),
  })
  .meta({ title: 'Consent' })

export const AllowApp = z
  .object({
    org_id: id().describe('The organization to which the app is connected.'),
    mode: literal('live', 'test')
      .default('live')
      .describe('test: calls, pushes and signatures are simulated.'),
    permissions: list(appPermission, { min: 1, max: appPermissions.length }).describe(
      'The permissions of the app.',
    ),
  })
  .meta({ title: 'AllowApp' })

export const AnsweredConsent = z
  .object({
    redirect_url: shown.text(
      'The address to which the browser goes.',
      'https://crosswalk.example/oauth/authorize/x',
    ),
  })
  .meta({ title: 'AnsweredConsent' })
