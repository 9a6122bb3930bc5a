import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { allowOnlyPost } from '../../platform/http/allowed-methods.ts'
import { emlOf } from './eml.ts'
import { confirmOffer, findOffer, type Offer, offerPath } from './offers.ts'
import { contentSecurityPolicy, messagePage, offerPage } from './page.ts'

type RequestedOffer = { orgId: string; offerId: string; path: string }

/** The maximum body of a confirmation in bytes. The page's form sends none. */
const confirmationMax = 1_024

/** Serves the install pages. They need no API key, because nobody can guess their addresses. */
export function serveInstallPages(server: FastifyInstance, context: Context): void {
  const open = {
    config: { public: true },
    exposeHeadRoute: true,
    // Count the request before its body is read. Every well-formed address causes a query, so every request counts.
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await context.countAnonymous(request, reply)
      return readRequestedOffer(request, context) ? undefined : sendNotFound(reply)
    },
  }
  const at = `${offerPath}/:token/:offer`

  /** Answers with the offer that `act` finds or changes, or with 404. */
  const serve =
    (
      act: (tx: OrgTx, offerId: string) => Promise<Offer | null>,
      answer: (reply: FastifyReply, offer: Offer, path: string) => FastifyReply,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const wanted = readRequestedOffer(request, context)
      if (!wanted) return sendNotFound(reply)
      const { orgId, offerId, path } = wanted
      const offer = await context.database.org(orgId).transact((tx) => act(tx, offerId))
      return offer ? answer(reply, offer, path) : sendNotFound(reply)
    }
  const unlessConfirmed =
    (answer: (reply: FastifyReply, offer: Offer, path: string) => FastifyReply) =>
    (reply: FastifyReply, offer: Offer, path: string) =>
      offer.isConfirmed ? sendThanks(reply.code(410)) : answer(reply, offer, path)

  server.get(
    at,
    open,
    serve(
      findOffer,
      unlessConfirmed((reply, offer, path) => html(reply).send(offerPage(offer, path))),
    ),
  )
  server.get(
    `${at}/signature.eml`,
    open,
    serve(
      findOffer,
      unlessConfirmed((reply, offer) =>
        reply
          .header('content-type', 'message/rfc822')
          .header('content-disposition', 'attachment; filename="signature.eml"')
          .send(emlOf(offer)),
      ),
    ),
  )
  allowOnlyPost(server, `${at}/confirm`)
  server.post(
    `${at}/confirm`,
    { ...open, bodyLimit: confirmationMax, exposeHeadRoute: false },
    serve(confirmOffer, (reply) => sendThanks(reply)),
  )
}

function readRequestedOffer(request: FastifyRequest, { orgTokens }: Context): RequestedOffer | null {
  const { token, offer } = request.params as { token: string; offer: string }
  const orgId = orgTokens.read(token)
  if (orgId === null || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(offer)) return null
  return { orgId, offerId: offer, path: `${offerPath}/${token}/${offer}` }
}

const html = (reply: FastifyReply) =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy)

const sendThanks = (reply: FastifyReply) =>
  html(reply).send(
    messagePage('Thank you', 'Your signature is recorded as installed. You can close this page.'),
  )

const sendNotFound = (reply: FastifyReply) =>
  html(reply.code(404)).send(
    messagePage(
      'Nothing to install here',
      'There is no signature at this address, or a newer one replaced it. Ask the sender for the new address.',
    ),
  )
