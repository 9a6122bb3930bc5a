// The entry `@crosswalk/sdk`.

export type { Answered, AnswerPromise } from './answer.ts'
export type { FileBody } from './body.ts'
export { Crosswalk } from './client.ts'
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  CrosswalkError,
  InvalidError,
  NotFoundError,
  PaymentRequiredError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  WebhookVerificationError,
} from './errors.ts'
export type { FollowedEvent, FollowOptions } from './follow.ts'
export type * from './generated/types.ts'
export type { Attempt, CallOptions, ClientOptions, OnTrackError, SessionOptions } from './options.ts'
export type { Page, PagePromise } from './page.ts'
export type { FlushOptions, Track, TrackedEvent } from './track.ts'
export type { WaitOptions } from './wait.ts'
