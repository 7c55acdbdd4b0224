// Why a session cannot go on. Policy: the message is for the session's `error` (document 2, live session object), so it says
// nothing of addresses and keys.
export class LiveProblem extends Error {
  override readonly name = 'LiveProblem';
}
