import type { Org } from '../../platform/db/org.ts'
import { makeOffer } from '../manual/offers.ts'
import type { Provider } from './provider.ts'

/** Offers the signature to its owner, who installs it by hand from the page of `install_url`. */
export function manualProvider(org: Org): Provider {
  return {
    async install(order) {
      await org.transact((tx) => makeOffer(tx, org.orgId, order))
      return { outcome: 'manual_pending' }
    },
  }
}
