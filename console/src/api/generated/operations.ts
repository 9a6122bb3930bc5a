// Written by `npm run generate`. Do not edit.

export const version = '0.1.0'

/** What each method sends. A line ends with the names of the arguments that follow the ids of the path. */
export const operations = `
links.open POST /links/open data body
links.passkeyOptions POST /links/passkey-options data body
links.use POST /links/use data body
members.invite POST /members/invites data body
members.links.list GET /members/links data
members.links.revoke DELETE /members/links/{link_id} none
members.list GET /members data
members.offerRecovery POST /members/recovery-links data body
members.remove DELETE /members/{member_id} none
members.update PATCH /members/{member_id} data body
session.activateTotp PUT /session/totp data body
session.changePassword POST /session/password data body
session.confirm POST /session/confirm data body
session.confirmOptions POST /session/confirm/options data
session.dropTotp DELETE /session/totp none
session.get GET /session data
session.offerTotp POST /session/totp/offer data
session.passkey.options POST /session/passkey/options data
session.passkey.signIn POST /session/passkey data body
session.passkeys.add POST /session/passkeys data body
session.passkeys.delete DELETE /session/passkeys/{passkey_id} none
session.passkeys.list GET /session/passkeys data
session.passkeys.options POST /session/passkeys/options data
session.passkeys.rename PATCH /session/passkeys/{passkey_id} data body
session.sendSecondFactor POST /session/totp data body
session.signIn POST /session data body
session.signOut DELETE /session none
sessions.end DELETE /sessions/{session_id} none
sessions.list GET /sessions data
sso.get GET /sso data
sso.put PUT /sso data body
sso.remove DELETE /sso none
sso.return GET /sso/callback/{org_id} none query
sso.start GET /sso/start none query
`
