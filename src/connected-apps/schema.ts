import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { boolean, id, literal } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { appPermissions } from './permissions.ts'

export const AppPath = z.object({ connected_app_id: id().describe('The id of the connection.') })

export const AppListQuery = z.object({
  revoked: boolean().default(false).describe('true lists disconnected apps instead of connected ones.'),
  ...listQuery,
})
export type AppListQuery = z.output<typeof AppListQuery>

/** A permission that an app can have. */
export const appPermission = literal(...appPermissions).meta({ title: 'AppPermission' })

export const NarrowApp = z
  .object({
    permissions: list(appPermission, { min: 1, max: appPermissions.length }).describe(
      'The permissions that the app keeps. It must have them already.',
    ),
  })
  .meta({ title: 'NarrowConnectedApp' })

export const ConnectedApp = z
  .object({
    connected_app_id: shown.id('The id of the connection.'),
    client_name: shown.text('The name that the app gives itself.', 'Claude'),
    client_host: shown.text(
      'The host that proves the name of the app; without proof, the host to which the browser returned.',
      'claude.ai',
    ),
    member_id: shown.id('The person who connected the app, and in whose name it acts.'),
    member_name: shown
      .text(
        'The name of the person, for a person of an agency with the agency in brackets; null: the person is no longer a member.',
        'Ada Lovelace',
      )
      .nullable(),
    mode: shown.mode('Whether calls, pushes and signatures of the app are real.'),
    permissions: z.array(z.string()).meta({
      description: 'The permissions of the app, limited by the role of the person.',
      examples: [['contacts:read']],
    }),
    created_at: shown.time('When the app was connected.'),
    last_used_at: shown.pendingTime('When the app last used a tool; null: never.'),
    revoked_at: shown.pendingTime('When the app was disconnected; null: it is connected.'),
  })
  .meta({ title: 'ConnectedApp' })
