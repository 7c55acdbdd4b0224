// The translation API as one plugin: generate, status and silence (document 2 without its live half).
// - A request is checked in this order: the faults in force, its key, its method, its body. Every error is in the flat envelope.
// - V2 answers `hls` with `stream` by growing manifests, a file by a 303 when it is rendered, and `display` and `push` by a job,
//   whose media nothing displays. V1 always answers by a job.
// - Everything after `/v1/status/` is an id. A missing or malformed id gives 400, an unknown one 404.
// - Each status answer signs the download URL anew, so that a job can be polled for longer than a URL is valid.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { apiKeyRequired } from '../rest.ts';
import { isUuid } from '../ids.ts';
import { answerFlat, badRequest, FlatError, onlyServe } from './flat-error.ts';
import { generateRoutes, JobStore } from './generate.ts';
import { silenceRoute } from './silence.ts';
import { signUrls, type TranslationDeps } from './translation-media.ts';

const PATH = '/v1/status';
const options = { config: { operation: 'job_status', codes: { 400: 'invalid_job_id' } } } as const;

function statusRoute(app: FastifyInstance, deps: TranslationDeps, store: JobStore): void {
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
        ? { [deps.names().job_download_url]: signUrls(deps, [{ path }]).urls[0] }
        : {}),
    };
  });
  onlyServe(app, `${PATH}/*`, 'GET');
}

export const translationRoutes =
  (deps: TranslationDeps): FastifyPluginAsync =>
  async (app) => {
    answerFlat(app, deps);
    app.addHook(
      'onRequest',
      apiKeyRequired(deps.apiKey, (why) => new FlatError(401, 'unauthorized', why)),
    );
    const store = new JobStore(deps.clock);
    generateRoutes(app, deps, store);
    statusRoute(app, deps, store);
    silenceRoute(app, deps);
  };
