import { z } from 'zod'
import { allows } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import { forbidden } from '../platform/domain-error.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { findApp, listApps, narrowApp, revokeApp, type ShownApp } from './apps.ts'
import { AppListQuery, AppPath, ConnectedApp, NarrowApp } from './schema.ts'

const tag = 'Connected apps'
const noApp = { 404: 'No connected app of the organization has this id' }

/** Everybody may disconnect their own apps; others need the permission to manage members. */
function requireOwnApp(caller: Caller, app: ShownApp): void {
  if (app.member_id === caller.memberId || allows(caller.permissions, 'members:manage')) return
  throw forbidden(
    'permission_missing',
    'Another person connected this app; ask them, or an admin with the permission members:manage',
  )
}

export const connectedAppEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/connected-apps',
    name: 'list_connected_apps',
    sdk: 'connectedApps.list',
    summary: 'List the connected apps',
    description: 'AI hosts that members connected to the organization, newest first.',
    tag,
    permission: 'members:read',
    query: AppListQuery,
    shape: 'page',
    response: z.array(ConnectedApp),
    handle: ({ org, context, query }) => listApps(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: '/connected-apps/{connected_app_id}',
    name: 'get_connected_app',
    sdk: 'connectedApps.get',
    summary: 'Read a connected app',
    tag,
    permission: 'members:read',
    params: AppPath,
    shape: 'data',
    response: ConnectedApp,
    errors: noApp,
    handle: ({ org, params }) => org.read((tx) => findApp(tx, params.connected_app_id)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/connected-apps/{connected_app_id}',
    name: 'narrow_connected_app',
    sdk: 'connectedApps.narrow',
    summary: 'Remove permissions from a connected app',
    description:
      'To give an app more permissions, connect it again. The change takes effect within 2 seconds.',
    tag,
    permission: 'members:read',
    params: AppPath,
    body: NarrowApp,
    example: { permissions: ['contacts:read'] },
    shape: 'data',
    response: ConnectedApp,
    errors: {
      ...noApp,
      403: 'Another person connected the app, or the app does not have one of the permissions',
    },
    handle: ({ org, params, body, caller }) =>
      org.transact(async (tx) => {
        const app = await findApp(tx, params.connected_app_id)
        requireOwnApp(caller, app)
        const added = body.permissions.find((permission) => !app.permissions.includes(permission))
        if (added !== undefined)
          throw forbidden(
            'permission_not_grantable',
            `The app does not have ${added}: connect it again to give it more permissions`,
          )
        await narrowApp(tx, app.connected_app_id, body.permissions)
        return findApp(tx, app.connected_app_id)
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/connected-apps/{connected_app_id}',
    name: 'revoke_connected_app',
    sdk: 'connectedApps.revoke',
    summary: 'Disconnect an app',
    description: 'Its tokens stop working within 2 seconds.',
    tag,
    permission: 'members:read',
    params: AppPath,
    shape: 'none',
    errors: { ...noApp, 403: 'Another person connected the app' },
    handle: ({ org, params, caller }) =>
      org.transact(async (tx) => {
        requireOwnApp(caller, await findApp(tx, params.connected_app_id))
        await revokeApp(tx, params.connected_app_id)
        return undefined
      }),
  }),
]
