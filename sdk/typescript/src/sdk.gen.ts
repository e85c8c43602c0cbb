import { client } from './client.gen.js';
import type { Client, Options as Options2, TDataShape } from './client/index.js';
import type { DetectWatermarkData, DetectWatermarkErrors, DetectWatermarkResponses, DetectWatermarkVersionData, DetectWatermarkVersionErrors, DetectWatermarkVersionResponses, DetokenizeData, DetokenizeErrors, DetokenizeResponses, DetokenizeVersionData, DetokenizeVersionErrors, DetokenizeVersionResponses, GenerateData, GenerateErrors, GenerateResponses, GenerateStreamData, GenerateStreamErrors, GenerateStreamResponse, GenerateStreamResponses, GenerateStreamVersionData, GenerateStreamVersionErrors, GenerateStreamVersionResponse, GenerateStreamVersionResponses, GenerateVersionData, GenerateVersionErrors, GenerateVersionResponses, HealthLiveData, HealthLiveErrors, HealthLiveResponses, HealthReadyData, HealthReadyErrors, HealthReadyResponses, InferData, InferErrors, InferResponses, InferVersionData, InferVersionErrors, InferVersionResponses, MetricsData, MetricsErrors, MetricsResponses, ModelCapabilitiesData, ModelCapabilitiesErrors, ModelCapabilitiesResponses, ModelConfigData, ModelConfigErrors, ModelConfigResponses, ModelMetadataData, ModelMetadataErrors, ModelMetadataResponses, ModelReadyData, ModelReadyErrors, ModelReadyResponses, ModelStatsData, ModelStatsErrors, ModelStatsResponses, ModelVersionCapabilitiesData, ModelVersionCapabilitiesErrors, ModelVersionCapabilitiesResponses, ModelVersionConfigData, ModelVersionConfigErrors, ModelVersionConfigResponses, ModelVersionMetadataData, ModelVersionMetadataErrors, ModelVersionMetadataResponses, ModelVersionReadyData, ModelVersionReadyErrors, ModelVersionReadyResponses, ModelVersionStatsData, ModelVersionStatsErrors, ModelVersionStatsResponses, ServerMetadataData, ServerMetadataErrors, ServerMetadataResponses, StopInferData, StopInferErrors, StopInferResponses, StopInferVersionData, StopInferVersionErrors, StopInferVersionResponses, TokenizeData, TokenizeErrors, TokenizeResponses, TokenizeVersionData, TokenizeVersionErrors, TokenizeVersionResponses } from './types.gen.js';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: Record<string, unknown>;
};

/**
 * Continue a text
 *
 * Answers when the whole text is there.
 */
export const generate = <ThrowOnError extends boolean = false>(options: Options<GenerateData, ThrowOnError>) => (options.client ?? client).post<GenerateResponses, GenerateErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/generate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Continue a text with that version of the model
 *
 * Answers when the whole text is there, and names the version.
 */
export const generateVersion = <ThrowOnError extends boolean = false>(options: Options<GenerateVersionData, ThrowOnError>) => (options.client ?? client).post<GenerateVersionResponses, GenerateVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/generate',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Continue a text, token by token
 *
 * Answers with an event for each token, as soon as it is there. What fails before the first token is answered with its status. What fails later is told by a last event with `error` and `error_type`, after which the connection ends without the end of the answer.
 */
export const generateStream = <ThrowOnError extends boolean = false>(options: Options<GenerateStreamData, ThrowOnError, GenerateStreamResponse>) => (options.client ?? client).sse.post<GenerateStreamResponses, GenerateStreamErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/generate_stream',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Continue a text, token by token, with that version of the model
 *
 * Answers with an event for each token, as soon as it is there. What fails before the first token is answered with its status. What fails later is told by a last event with `error` and `error_type`, after which the connection ends without the end of the answer.
 */
export const generateStreamVersion = <ThrowOnError extends boolean = false>(options: Options<GenerateStreamVersionData, ThrowOnError, GenerateStreamVersionResponse>) => (options.client ?? client).sse.post<GenerateStreamVersionResponses, GenerateStreamVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/generate_stream',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Continue token ids or a text, given as a tensor
 *
 * One tensor in and one out, of the same datatype. `UINT32` is token ids, of shape [n] or [1, n]; `BYTES` is one text, of shape [1]. Binary tensors are refused; data is given as JSON, also where the body is said to be `application/octet-stream`, as clients that know binary tensors say of all they send.
 */
export const infer = <ThrowOnError extends boolean = false>(options: Options<InferData, ThrowOnError>) => (options.client ?? client).post<InferResponses, InferErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/infer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Continue token ids or a text, given as a tensor, with that version of the model
 *
 * One tensor in and one out, of the same datatype. `UINT32` is token ids, of shape [n] or [1, n]; `BYTES` is one text, of shape [1]. Binary tensors are refused; data is given as JSON, also where the body is said to be `application/octet-stream`, as clients that know binary tensors say of all they send.
 */
export const inferVersion = <ThrowOnError extends boolean = false>(options: Options<InferVersionData, ThrowOnError>) => (options.client ?? client).post<InferVersionResponses, InferVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/infer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End running requests
 *
 * Ends every running request of that `id` at once; each is answered with what it has. An id that is not running is 404.
 */
export const stopInfer = <ThrowOnError extends boolean = false>(options: Options<StopInferData, ThrowOnError>) => (options.client ?? client).post<StopInferResponses, StopInferErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/stopInfer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End running requests, with that version of the model
 *
 * Ends every running request of that `id` at once; each is answered with what it has. An id that is not running is 404.
 */
export const stopInferVersion = <ThrowOnError extends boolean = false>(options: Options<StopInferVersionData, ThrowOnError>) => (options.client ?? client).post<StopInferVersionResponses, StopInferVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/stopInfer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Turn a text into token ids
 *
 * The tokens that the text has as a prompt, with those that the model wants around it.
 */
export const tokenize = <ThrowOnError extends boolean = false>(options: Options<TokenizeData, ThrowOnError>) => (options.client ?? client).post<TokenizeResponses, TokenizeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/tokenize',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Turn a text into token ids, with that version of the model
 *
 * The tokens that the text has as a prompt, with those that the model wants around it.
 */
export const tokenizeVersion = <ThrowOnError extends boolean = false>(options: Options<TokenizeVersionData, ThrowOnError>) => (options.client ?? client).post<TokenizeVersionResponses, TokenizeVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/tokenize',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Turn token ids into a text
 *
 * The text of the tokens; bytes that are no character become U+FFFD.
 */
export const detokenize = <ThrowOnError extends boolean = false>(options: Options<DetokenizeData, ThrowOnError>) => (options.client ?? client).post<DetokenizeResponses, DetokenizeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/detokenize',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Turn token ids into a text, with that version of the model
 *
 * The text of the tokens; bytes that are no character become U+FFFD.
 */
export const detokenizeVersion = <ThrowOnError extends boolean = false>(options: Options<DetokenizeVersionData, ThrowOnError>) => (options.client ?? client).post<DetokenizeVersionResponses, DetokenizeVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/detokenize',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Tell whether a text was marked
 *
 * Scores the text with the key and settings that `watermark` marks texts with here. A text without its prompt scores best. In one of fewer than 2 tokens nothing is scored, and one of more than the server's `max_seq_len` is refused.
 */
export const detectWatermark = <ThrowOnError extends boolean = false>(options: Options<DetectWatermarkData, ThrowOnError>) => (options.client ?? client).post<DetectWatermarkResponses, DetectWatermarkErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/detect_watermark',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Tell whether a text was marked, with that version of the model
 *
 * Scores the text with the key and settings that `watermark` marks texts with here. A text without its prompt scores best. In one of fewer than 2 tokens nothing is scored, and one of more than the server's `max_seq_len` is refused.
 */
export const detectWatermarkVersion = <ThrowOnError extends boolean = false>(options: Options<DetectWatermarkVersionData, ThrowOnError>) => (options.client ?? client).post<DetectWatermarkVersionResponses, DetectWatermarkVersionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/detect_watermark',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Whether the process is alive
 *
 * Answers 200 as soon as the port is open, also while a model is loading, and 503 when the process can never answer again and is about to end.
 */
export const healthLive = <ThrowOnError extends boolean = false>(options?: Options<HealthLiveData, ThrowOnError>) => (options?.client ?? client).get<HealthLiveResponses, HealthLiveErrors, ThrowOnError>({ url: '/v2/health/live', ...options });

/**
 * Whether every model can answer
 *
 * Answers 503 until the models are loaded, and while the server shuts down.
 */
export const healthReady = <ThrowOnError extends boolean = false>(options?: Options<HealthReadyData, ThrowOnError>) => (options?.client ?? client).get<HealthReadyResponses, HealthReadyErrors, ThrowOnError>({ url: '/v2/health/ready', ...options });

/**
 * What this server is
 *
 * Name, version and protocol extensions of the server.
 */
export const serverMetadata = <ThrowOnError extends boolean = false>(options?: Options<ServerMetadataData, ThrowOnError>) => (options?.client ?? client).get<ServerMetadataResponses, ServerMetadataErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2',
    ...options
});

/**
 * What this model is
 *
 * Versions, platform, inputs and outputs of the model.
 */
export const modelMetadata = <ThrowOnError extends boolean = false>(options: Options<ModelMetadataData, ThrowOnError>) => (options.client ?? client).get<ModelMetadataResponses, ModelMetadataErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}',
    ...options
});

/**
 * What this version of the model is
 *
 * Versions, platform, inputs and outputs of the model.
 */
export const modelVersionMetadata = <ThrowOnError extends boolean = false>(options: Options<ModelVersionMetadataData, ThrowOnError>) => (options.client ?? client).get<ModelVersionMetadataResponses, ModelVersionMetadataErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}',
    ...options
});

/**
 * How this model is set up
 *
 * The limits and settings of this deployment.
 */
export const modelConfig = <ThrowOnError extends boolean = false>(options: Options<ModelConfigData, ThrowOnError>) => (options.client ?? client).get<ModelConfigResponses, ModelConfigErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/config',
    ...options
});

/**
 * How this model is set up, with that version of the model
 *
 * The limits and settings of this deployment.
 */
export const modelVersionConfig = <ThrowOnError extends boolean = false>(options: Options<ModelVersionConfigData, ThrowOnError>) => (options.client ?? client).get<ModelVersionConfigResponses, ModelVersionConfigErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/config',
    ...options
});

/**
 * What this model can be asked for
 *
 * Every field of `parameters` with the limits of this deployment, what each operation takes and gives, what computes the model, and which answers can be had again.
 */
export const modelCapabilities = <ThrowOnError extends boolean = false>(options: Options<ModelCapabilitiesData, ThrowOnError>) => (options.client ?? client).get<ModelCapabilitiesResponses, ModelCapabilitiesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/capabilities',
    ...options
});

/**
 * What this version of the model can be asked for
 *
 * Every field of `parameters` with the limits of this deployment, what each operation takes and gives, what computes the model, and which answers can be had again.
 */
export const modelVersionCapabilities = <ThrowOnError extends boolean = false>(options: Options<ModelVersionCapabilitiesData, ThrowOnError>) => (options.client ?? client).get<ModelVersionCapabilitiesResponses, ModelVersionCapabilitiesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/capabilities',
    ...options
});

/**
 * What this model has done and does
 *
 * Counts since the server started, and the load now.
 */
export const modelStats = <ThrowOnError extends boolean = false>(options: Options<ModelStatsData, ThrowOnError>) => (options.client ?? client).get<ModelStatsResponses, ModelStatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/stats',
    ...options
});

/**
 * What this model has done and does, with that version of the model
 *
 * Counts since the server started, and the load now.
 */
export const modelVersionStats = <ThrowOnError extends boolean = false>(options: Options<ModelVersionStatsData, ThrowOnError>) => (options.client ?? client).get<ModelVersionStatsResponses, ModelVersionStatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/v2/models/{model_name}/versions/{model_version}/stats',
    ...options
});

/**
 * Whether this model can answer
 *
 * Answers 503 until the model is loaded, and while the server shuts down.
 */
export const modelReady = <ThrowOnError extends boolean = false>(options: Options<ModelReadyData, ThrowOnError>) => (options.client ?? client).get<ModelReadyResponses, ModelReadyErrors, ThrowOnError>({ url: '/v2/models/{model_name}/ready', ...options });

/**
 * Whether this version of the model can answer
 *
 * Answers 503 until the model is loaded, and while the server shuts down.
 */
export const modelVersionReady = <ThrowOnError extends boolean = false>(options: Options<ModelVersionReadyData, ThrowOnError>) => (options.client ?? client).get<ModelVersionReadyResponses, ModelVersionReadyErrors, ThrowOnError>({ url: '/v2/models/{model_name}/versions/{model_version}/ready', ...options });

/**
 * What Prometheus collects
 *
 * Counters, gauges and histograms of the server in Prometheus' text format.
 */
export const metrics = <ThrowOnError extends boolean = false>(options?: Options<MetricsData, ThrowOnError>) => (options?.client ?? client).get<MetricsResponses, MetricsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }],
    url: '/metrics',
    ...options
});
