// Written by `npm run generate`. Do not edit.

export const version = '0.2.0'

/** What each method sends: src/methods.ts reads it. */
export const operations = `
approvals
 decide POST /decide data body
 list GET  data
consents /connect/{uid}
 allow POST /allow data body
 decline POST /decline data
 get GET  data
links
 open POST /open data body
 passkeyOptions POST /passkey-options data body
 use POST /use data body
members
 invite POST /invites data body
 list GET  data
 offerRecovery POST /recovery-links data body
 remove DELETE /{} none query
 update PATCH /{} data body
members.links
 list GET  data
 revoke DELETE /{} none
session
 activateTotp PUT /totp data body
 changePassword POST /password data body
 confirm POST /confirm data body
 confirmOptions POST /confirm/options data
 dropTotp DELETE /totp none
 get GET  data
 offerTotp POST /totp/offer data
 renewRecoveryCodes POST /totp/recovery-codes data
 sendSecondFactor POST /totp data body
 signIn POST  data body
 signOut DELETE  none
session.passkey
 options POST /options data
 signIn POST  data body
session.passkeys
 add POST  data body
 delete DELETE /{} none
 list GET  data
 options POST /options data
 rename PATCH /{} data body
sessions
 end DELETE /{} none
 list GET  data
sso
 get GET  data
 put PUT  data body
 remove DELETE  none
 return GET /callback/{org_id} none query
 start GET /start none query
teams
 create POST  data body
 delete DELETE /{} none
 list GET  data
 update PATCH /{} data body
`
