/** Why a single sign-on failed. The sign-in page has a text for each. */
export type SsoFault =
  | 'sso_not_set_up'
  | 'sso_provider_unreachable'
  | 'sso_expired'
  | 'sso_refused'
  | 'sso_client_refused'
  | 'sso_invalid'
  | 'sso_email_unverified'
  | 'sso_domain_not_allowed'
  | 'sso_not_invited'
  | 'sso_other_account'
  | 'sso_other_person'

/** A failed single sign-on. The sign-in page gets its code. */
export class SsoFailure extends Error {
  override name = 'SsoFailure'
  readonly fault: SsoFault

  constructor(fault: SsoFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}
