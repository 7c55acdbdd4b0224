// `GET /v1/status/{job_id}` (document 2, Endpoints): how far a job has come, and where its media are. Policy: whatever stands
// behind `/v1/status/` is an id; a missing or malformed one is 400, one that is not known (any more) 404. Each answer
// signs the download URL anew, so that a job can be polled for longer than a URL lives.
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../uuid.ts';
import { badRequest, FlatError, onlyServe } from './flat-error.ts';
import type { JobStore } from './job-store.ts';
import { issue, type TranslationSurroundings } from './surroundings.ts';

const PATH = '/v1/status';
const options = { config: { operation: 'job_status', codes: { 400: 'invalid_job_id' } } } as const;

export function statusRoute(app: FastifyInstance, around: TranslationSurroundings, store: JobStore): void {
  app.get(PATH, options, (request) => {
    throw badRequest(request, 'job_id: missing');
  });
  onlyServe(app, PATH, 'GET');
  app.get<{ Params: { readonly '*': string } }>(`${PATH}/*`, options, (request) => {
    const id = request.params['*'];
    if (!isUuid(id)) throw badRequest(request, id === '' ? 'job_id: missing' : 'job_id: must be a UUID');
    const job = store.find(id);
    if (!job) throw new FlatError(404, 'not_found', 'no job with this id');
    const { status, progress, manifests, path } = job;
    return {
      jobId: job.id,
      status,
      progress,
      ...(manifests ? { manifests } : {}),
      ...(status === 'completed' && path !== null
        ? { [around.names().job_download_url]: issue(around, [{ path }]).urls[0] }
        : {}),
    };
  });
  onlyServe(app, `${PATH}/*`, 'GET');
}
