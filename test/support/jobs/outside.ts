/** For a job that a test runs itself: it has no slot that others could use while it waits. */
export const outside = <Answer>(answer: Promise<Answer>): Promise<Answer> => answer
