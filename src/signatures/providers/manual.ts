import { makeOffer } from '../manual/offers.ts'
import type { OpenProvider } from './provider.ts'

/** Offers the signature to the owner of the mailbox, who installs it from the page at `install_url`. */
export const openManual: OpenProvider = async ({ org }) => ({
  async install(order) {
    await org.transact((tx) => makeOffer(tx, order))
    return { outcome: 'manual_pending' }
  },
})
