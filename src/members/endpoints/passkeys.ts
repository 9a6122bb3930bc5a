import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { requireBrowser } from '../../platform/http/requesting-browser.ts'
import type { MemberDeps } from '../member-deps.ts'
import { AddPasskey, Options, Passkey, PasskeyPath, RenamePasskey, UsePasskey } from '../passkey-schema.ts'
import { assertionOptions } from '../passkeys/assert.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import { Session } from '../schema.ts'
import {
  addPasskey,
  deleteOwnPasskey,
  ownOptions,
  renameOwnPasskey,
  signInWithPasskey,
} from '../use-passkey.ts'
import { beginSession } from './show-session.ts'
import { sessionTag } from './tags.ts'

const own = { ...sessionTag, access: 'person' } as const

/** Sign-in with passkeys, and the passkeys of a person. */
export const passkeyEndpoints = (deps: MemberDeps): Endpoint[] => [
  endpoint({
    ...sessionTag,
    method: 'POST',
    path: '/session/passkey/options',
    name: 'offer_passkey_sign_in',
    sdk: 'session.passkey.options',
    summary: 'Begin to sign in with a passkey',
    access: 'anyone',
    shape: 'data',
    response: Options,
    handle: async ({ browser }) => ({
      options: await assertionOptions(deps.scope, requireBrowser(browser), null),
    }),
  }),
  endpoint({
    ...sessionTag,
    method: 'POST',
    path: '/session/passkey',
    name: 'sign_in_with_passkey',
    sdk: 'session.passkey.signIn',
    summary: 'Sign in with a passkey',
    access: 'anyone',
    body: UsePasskey,
    shape: 'data',
    response: Session,
    handle: async ({ browser, body }) => {
      const token = await signInWithPasskey(deps, requireBrowser(browser), body.credential)
      return beginSession(deps, requireBrowser(browser), token)
    },
  }),
  endpoint({
    ...own,
    method: 'POST',
    path: '/session/confirm/options',
    name: 'offer_passkey_confirmation',
    sdk: 'session.confirmOptions',
    summary: 'Begin to confirm with a passkey',
    shape: 'data',
    response: Options,
    handle: async ({ browser, caller }) => ({
      options: await assertionOptions(deps.scope, requireBrowser(browser), caller.memberId),
    }),
  }),
  endpoint({
    ...own,
    method: 'GET',
    path: '/session/passkeys',
    name: 'list_passkeys',
    sdk: 'session.passkeys.list',
    summary: 'List your passkeys',
    shape: 'data',
    response: z.array(Passkey),
    handle: async ({ caller, browser }) =>
      requireBrowser(browser).session?.limitedTo
        ? []
        : deps.scope.read((tx) => listPasskeys(tx, caller.memberId ?? '')),
  }),
  endpoint({
    ...own,
    method: 'POST',
    path: '/session/passkeys/options',
    name: 'offer_passkey',
    sdk: 'session.passkeys.options',
    summary: 'Begin to add a passkey',
    confirm: true,
    changesAccount: true,
    shape: 'data',
    response: Options,
    handle: async ({ browser, caller }) => ({
      options: await ownOptions(deps, requireBrowser(browser), caller.memberId ?? ''),
    }),
  }),
  endpoint({
    ...own,
    method: 'POST',
    path: '/session/passkeys',
    name: 'add_passkey',
    sdk: 'session.passkeys.add',
    summary: 'Add a passkey',
    confirm: true,
    changesAccount: true,
    body: AddPasskey,
    status: 201,
    shape: 'data',
    response: Passkey,
    handle: ({ browser, caller, body }) =>
      addPasskey(deps, requireBrowser(browser), caller.memberId ?? '', body),
  }),
  endpoint({
    ...own,
    method: 'PATCH',
    path: '/session/passkeys/{passkey_id}',
    name: 'rename_passkey',
    sdk: 'session.passkeys.rename',
    summary: 'Rename a passkey',
    changesAccount: true,
    params: PasskeyPath,
    body: RenamePasskey,
    shape: 'data',
    response: Passkey,
    handle: ({ browser, caller, params, body }) =>
      renameOwnPasskey(deps, requireBrowser(browser), caller.memberId ?? '', {
        passkeyId: params.passkey_id,
        name: body.name,
      }),
  }),
  endpoint({
    ...own,
    method: 'DELETE',
    path: '/session/passkeys/{passkey_id}',
    name: 'delete_passkey',
    sdk: 'session.passkeys.delete',
    summary: 'Delete a passkey',
    confirm: true,
    changesAccount: true,
    params: PasskeyPath,
    shape: 'none',
    handle: async ({ browser, caller, params }) => {
      await deleteOwnPasskey(deps, requireBrowser(browser), caller.memberId ?? '', params.passkey_id)
      return undefined
    },
  }),
]
