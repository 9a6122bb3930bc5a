import { makeOffer } from '../manual/offers.ts'
import type { OpenProvider } from './provider.ts'

/** Offers the signature to the mailbox's owner, who installs it from the page of `install_url`. */
export const openManual: OpenProvider = async ({ org }) => ({
  async install(order) {
    await org.transact((tx) => makeOffer(tx, order))
    return { outcome: 'manual_pending' }
  },
})
