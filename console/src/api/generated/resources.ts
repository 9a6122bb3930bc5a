// Written by `npm run generate`. Do not edit.

import type { AnswerPromise } from '../../../../sdk/src/answer.ts'
import type { CallOptions } from '../../../../sdk/src/options.ts'
import type * as types from './types.ts'

export interface ApprovalsResource {
  /**
   * Approve or decline calls of tools.
   *
   * No API key can do this.
   */
  decide(body: types.DecideApprovals, options?: CallOptions): AnswerPromise<types.ApprovalDecision[]>
  /**
   * List the calls of tools that wait for the person.
   *
   * No API key can do this.
   */
  list(options?: CallOptions): AnswerPromise<types.Approval[]>
}

export interface ConsentsResource {
  /**
   * Connect an app.
   *
   * No API key can do this.
   */
  allow(uid: string, body: types.AllowApp, options?: CallOptions): AnswerPromise<types.AnsweredConsent>
  /**
   * Decline to connect an app.
   *
   * No API key can do this.
   */
  decline(uid: string, options?: CallOptions): AnswerPromise<types.AnsweredConsent>
  /**
   * Read what an app asks for.
   *
   * No API key can do this.
   */
  get(uid: string, options?: CallOptions): AnswerPromise<types.Consent>
}

export interface LinksResource {
  /**
   * Read a link without using it.
   *
   * No API key can do this.
   */
  open(body: types.OpenLink, options?: CallOptions): AnswerPromise<types.OpenedLink>
  /**
   * Begin to create a passkey with a link.
   *
   * No API key can do this.
   */
  passkeyOptions(body: types.OfferLinkPasskey, options?: CallOptions): AnswerPromise<types.PasskeyOptions>
  /**
   * Use a link, and sign in.
   *
   * No API key can do this.
   */
  use(body: types.UseLink, options?: CallOptions): AnswerPromise<types.UsedLink>
}

export interface MembersResource {
  /**
   * Create a link with which a person becomes a member.
   *
   * Needs the permission `members:manage`.
   */
  invite(body: types.InviteMember, options?: CallOptions): AnswerPromise<types.MadeLink>
  /**
   * List the members.
   *
   * Needs the permission `members:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.Member[]>
  /**
   * Create a link with which a member sets a new password.
   *
   * Needs the permission `members:manage`.
   */
  offerRecovery(body: types.OfferRecovery, options?: CallOptions): AnswerPromise<types.MadeLink>
  /**
   * Remove a member, or leave the organization.
   *
   * Tasks and records of the member go to `reassign_to`, or to nobody. A background job changes the records. Everybody can remove their own membership. To remove others, or to choose who gets the records, you need `members:manage`.
   *
   * No API key can do this.
   */
  remove(memberId: string, query?: types.RemoveMemberQuery, options?: CallOptions): AnswerPromise<void>
  /**
   * Change the role of a member.
   *
   * Needs the permission `members:manage`.
   */
  update(memberId: string, body: types.UpdateMember, options?: CallOptions): AnswerPromise<types.Member>
  readonly links: MembersLinksResource
}

export interface MembersLinksResource {
  /**
   * List the links that nobody has used yet.
   *
   * Needs the permission `members:manage`.
   */
  list(options?: CallOptions): AnswerPromise<types.PendingLink[]>
  /**
   * Revoke a link.
   *
   * Needs the permission `members:manage`.
   */
  revoke(linkId: string, options?: CallOptions): AnswerPromise<void>
}

export interface SessionResource {
  /**
   * Turn the second factor on.
   *
   * No API key can do this.
   */
  activateTotp(body: types.ActivateTotp, options?: CallOptions): AnswerPromise<types.RecoveryCodes>
  /**
   * Change the password.
   *
   * No API key can do this.
   */
  changePassword(body: types.ChangePassword, options?: CallOptions): AnswerPromise<types.Session>
  /**
   * Confirm that it is you.
   *
   * No API key can do this.
   */
  confirm(body: types.ConfirmSession, options?: CallOptions): AnswerPromise<types.Session>
  /**
   * Begin to confirm with a passkey.
   *
   * No API key can do this.
   */
  confirmOptions(options?: CallOptions): AnswerPromise<types.PasskeyOptions>
  /**
   * Turn the second factor off.
   *
   * No API key can do this.
   */
  dropTotp(options?: CallOptions): AnswerPromise<void>
  /**
   * Read the session.
   *
   * No API key can do this.
   */
  get(options?: CallOptions): AnswerPromise<types.Session>
  /**
   * Create a secret for an authenticator app.
   *
   * No API key can do this.
   */
  offerTotp(options?: CallOptions): AnswerPromise<types.OfferedTotp>
  /**
   * Replace the recovery codes.
   *
   * No API key can do this.
   */
  renewRecoveryCodes(options?: CallOptions): AnswerPromise<types.RecoveryCodes>
  /**
   * Complete a sign-in with a code.
   *
   * No API key can do this.
   */
  sendSecondFactor(body: types.SecondFactor, options?: CallOptions): AnswerPromise<types.Session>
  /**
   * Sign in.
   *
   * No API key can do this.
   */
  signIn(body: types.SignIn, options?: CallOptions): AnswerPromise<types.Session>
  /**
   * Sign out.
   *
   * No API key can do this.
   */
  signOut(options?: CallOptions): AnswerPromise<void>
  readonly passkey: SessionPasskeyResource
  readonly passkeys: SessionPasskeysResource
}

export interface SessionPasskeyResource {
  /**
   * Begin to sign in with a passkey.
   *
   * No API key can do this.
   */
  options(options?: CallOptions): AnswerPromise<types.PasskeyOptions>
  /**
   * Sign in with a passkey.
   *
   * No API key can do this.
   */
  signIn(body: types.UsePasskey, options?: CallOptions): AnswerPromise<types.Session>
}

export interface SessionPasskeysResource {
  /**
   * Add a passkey.
   *
   * No API key can do this.
   */
  add(body: types.AddPasskey, options?: CallOptions): AnswerPromise<types.Passkey>
  /**
   * Delete a passkey.
   *
   * No API key can do this.
   */
  delete(passkeyId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * List your passkeys.
   *
   * No API key can do this.
   */
  list(options?: CallOptions): AnswerPromise<types.Passkey[]>
  /**
   * Begin to add a passkey.
   *
   * No API key can do this.
   */
  options(options?: CallOptions): AnswerPromise<types.PasskeyOptions>
  /**
   * Rename a passkey.
   *
   * No API key can do this.
   */
  rename(passkeyId: string, body: types.RenamePasskey, options?: CallOptions): AnswerPromise<types.Passkey>
}

export interface SessionsResource {
  /**
   * End one of your sessions.
   *
   * No API key can do this.
   */
  end(sessionId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * List your sessions.
   *
   * No API key can do this.
   */
  list(options?: CallOptions): AnswerPromise<types.SessionEntry[]>
}

export interface SsoResource {
  /**
   * Read the settings of single sign-on.
   *
   * Needs the permission `members:manage`.
   */
  get(options?: CallOptions): AnswerPromise<types.Sso>
  /**
   * Set single sign-on up.
   *
   * Needs the permission `members:manage`.
   */
  put(body: types.PutSso, options?: CallOptions): AnswerPromise<types.Sso>
  /**
   * Remove single sign-on.
   *
   * Needs the permission `members:manage`.
   */
  remove(options?: CallOptions): AnswerPromise<void>
  /**
   * Return from the provider of an organization.
   *
   * No API key can do this.
   */
  return(orgId: string, query?: types.ReturnFromSsoQuery, options?: CallOptions): AnswerPromise<void>
  /**
   * Go to the provider of an organization.
   *
   * No API key can do this.
   */
  start(query: types.StartSsoQuery, options?: CallOptions): AnswerPromise<void>
}

export interface TeamsResource {
  /**
   * Create a team.
   *
   * Needs the permission `members:manage`.
   */
  create(body: types.CreateTeam, options?: CallOptions): AnswerPromise<types.Team>
  /**
   * Delete a team.
   *
   * Records stay with their owners.
   *
   * Needs the permission `members:manage`.
   */
  delete(teamId: string, options?: CallOptions): AnswerPromise<void>
  /**
   * List the teams.
   *
   * Needs the permission `members:read`.
   */
  list(options?: CallOptions): AnswerPromise<types.Team[]>
  /**
   * Change the name or the members of a team.
   *
   * Needs the permission `members:manage`.
   */
  update(teamId: string, body: types.UpdateTeam, options?: CallOptions): AnswerPromise<types.Team>
}

/** The members of a client. Its constructor makes them. */
export class Resources {
  declare readonly approvals: ApprovalsResource
  declare readonly consents: ConsentsResource
  declare readonly links: LinksResource
  declare readonly members: MembersResource
  declare readonly session: SessionResource
  declare readonly sessions: SessionsResource
  declare readonly sso: SsoResource
  declare readonly teams: TeamsResource
}
