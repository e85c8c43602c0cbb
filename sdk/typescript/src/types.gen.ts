export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

/**
 * A text to continue. All fields but `id`, `text_input` and `parameters` are other spellings of fields of `parameters`, which win, for clients of the sister protocol.
 */
export type GenerateRequest = {
    /**
     * Echoed in the answer; the server makes one when absent. Need not be unique.
     */
    id?: string | null;
    /**
     * The prompt, in any language, also as a list of one. It may have as many tokens as the server's `max_seq_len` less its `max_iter_times`, and as the model's `max_position_embeddings`.
     */
    text_input: string | [
        string
    ];
    /**
     * How to continue the text.
     */
    parameters?: GenerateParameters | null;
    /**
     * As in `parameters`.
     */
    do_sample?: boolean | null;
    /**
     * As in `parameters`.
     */
    max_new_tokens?: number | null;
    /**
     * As in `parameters`.
     */
    max_tokens?: number | null;
    /**
     * As in `parameters`.
     */
    min_new_tokens?: number | null;
    /**
     * As `min_new_tokens`.
     */
    min_length?: number | null;
    /**
     * As in `parameters`.
     */
    seed?: number | null;
    /**
     * As `seed`.
     */
    random_seed?: number | null;
    /**
     * As in `parameters`, and turns `do_sample` on unless that is given; 0 is greedy.
     */
    temperature?: number | null;
    /**
     * As in `parameters`, and turns `do_sample` on unless that is given.
     */
    top_k?: number | null;
    /**
     * As in `parameters`, and turns `do_sample` on unless that is given.
     */
    top_p?: number | null;
    /**
     * As in `parameters`.
     */
    typical_p?: number | null;
    /**
     * As in `parameters`.
     */
    min_p?: number | null;
    /**
     * As in `parameters`.
     */
    repetition_penalty?: number | null;
    /**
     * As in `parameters`.
     */
    presence_penalty?: number | null;
    /**
     * As in `parameters`.
     */
    frequency_penalty?: number | null;
    /**
     * As in `parameters`.
     */
    logit_bias?: LogitBias | null;
    /**
     * As in `parameters`.
     */
    stop?: StopStrings;
    /**
     * As `stop`.
     */
    stop_words?: StopStrings;
    /**
     * As in `parameters`.
     */
    stop_token_ids?: Array<TokenId> | null;
    /**
     * As in `parameters`.
     */
    bad_words?: BadWords;
    /**
     * As in `parameters`.
     */
    ignore_eos?: boolean | null;
    /**
     * Ignored; the path decides.
     */
    stream?: boolean | null;
    /**
     * Ignored.
     */
    accumulate_tokens?: unknown;
    /**
     * Ignored.
     */
    end_id?: unknown;
    /**
     * Ignored.
     */
    pad_id?: unknown;
    /**
     * Ignored.
     */
    exclude_input_in_output?: unknown;
};

/**
 * One tensor to continue.
 */
export type InferRequest = {
    /**
     * Echoed in the answer; the server makes one when absent. Need not be unique.
     */
    id?: string | null;
    /**
     * The one tensor.
     */
    inputs: [
        InferInput
    ];
    /**
     * The one tensor that is wanted.
     */
    outputs?: [
        InferRequestedOutput
    ] | null;
    /**
     * How to continue the text.
     */
    parameters?: GenerateParameters | null;
};

export type InferInput = (TokenTensor | TextTensor) & {
    /**
     * Name of the tensor.
     */
    name: string;
    /**
     * [n] or [1, n] for n token ids, [1] for a text. Without effect, since the data itself says how long it is.
     */
    shape: Array<number>;
    /**
     * As `parameters` beside `inputs`, over which these win.
     */
    parameters?: TensorParameters | null;
    datatype: DataType;
    /**
     * The token ids or the text, also with a list for each dimension.
     */
    data: unknown;
};

/**
 * How to continue the tensor; every field may be left out.
 */
export type TensorParameters = GenerateParameters & DataElsewhere;

/**
 * What says that the data is elsewhere than in `data`.
 */
export type DataElsewhere = {
    /**
     * Ignored beside `data`, refused without it.
     */
    binary_data_size?: unknown;
    /**
     * Ignored beside `data`, refused without it.
     */
    shared_memory_region?: unknown;
};

/**
 * Token ids.
 */
export type TokenTensor = {
    /**
     * Name of the tensor.
     */
    name: string;
    /**
     * [n] or [1, n] for n token ids, [1] for a text. Without effect, since the data itself says how long it is.
     */
    shape: Array<number>;
    /**
     * As `parameters` beside `inputs`, over which these win.
     */
    parameters?: TensorParameters | null;
    /**
     * Of token ids.
     */
    datatype: 'UINT32';
    /**
     * The token ids, also as a list of one list.
     */
    data: Array<TokenId> | [
        Array<TokenId>
    ];
};

/**
 * A text.
 */
export type TextTensor = {
    /**
     * Name of the tensor.
     */
    name: string;
    /**
     * [n] or [1, n] for n token ids, [1] for a text. Without effect, since the data itself says how long it is.
     */
    shape: Array<number>;
    /**
     * As `parameters` beside `inputs`, over which these win.
     */
    parameters?: TensorParameters | null;
    /**
     * Of a text.
     */
    datatype: 'BYTES';
    /**
     * The text in a list, or in a list of one list.
     */
    data: [
        string
    ] | [
        [
            string
        ]
    ];
};

/**
 * What the answer's tensor shall be called.
 */
export type InferRequestedOutput = {
    /**
     * Name of the tensor.
     */
    name: string;
};

/**
 * The continuation of one tensor.
 */
export type InferResponse = {
    /**
     * The request's `id`, or the server's own.
     */
    id: string;
    model_name: ModelName;
    /**
     * The version that the path named, null when it named none.
     */
    model_version: string | null;
    /**
     * The one tensor.
     */
    outputs: [
        InferOutput
    ];
    details?: GenerateDetails;
};

/**
 * What follows the input, of the same datatype.
 */
export type InferOutput = {
    /**
     * The name that was asked for.
     */
    name: string;
    /**
     * [1, n] for n token ids, [1] for a text.
     */
    shape: Array<number>;
    datatype: DataType;
    /**
     * The generated token ids, an end token counted, or the text.
     */
    data: Array<TokenId> | [
        string
    ];
};

/**
 * What to end.
 */
export type StopRequest = {
    /**
     * The `id` of requests that are running.
     */
    id: string;
};

/**
 * What was ended.
 */
export type StopResponse = {
    /**
     * The `id` of requests that are running.
     */
    id: string;
};

/**
 * A text to look at.
 */
export type TokenizeRequest = {
    /**
     * The text.
     */
    text_input: string;
};

/**
 * A text in tokens.
 */
export type TokenizeResponse = {
    model_name: ModelName;
    /**
     * The version that the path named, null when it named none.
     */
    model_version: string | null;
    /**
     * How many tokens the text has.
     */
    num_tokens: number;
    /**
     * The tokens.
     */
    token_ids: Array<TokenId>;
    /**
     * For each token where it begins and ends in the text, in characters (Unicode code points). Tokens that share a character overlap; tokens that are not in the text are empty. Null where the model's tokenizer cannot tell.
     */
    offsets: Array<[
        number,
        number
    ]> | null;
};

/**
 * Tokens to look at.
 */
export type DetokenizeRequest = {
    /**
     * The tokens.
     */
    token_ids: Array<TokenId>;
    /**
     * Leave special tokens out of the text.
     */
    skip_special_tokens?: boolean | null;
};

/**
 * Tokens as a text.
 */
export type DetokenizeResponse = {
    model_name: ModelName;
    /**
     * The version that the path named, null when it named none.
     */
    model_version: string | null;
    /**
     * The text.
     */
    text_output: string;
};

/**
 * A text that may be marked.
 */
export type DetectWatermarkRequest = {
    /**
     * The text.
     */
    text_input: string;
};

/**
 * How many tokens of a text are on the list that marking prefers.
 */
export type DetectWatermarkResponse = {
    /**
     * How many tokens were scored, all but the first; with none, nothing is marked.
     */
    num_tokens: number;
    /**
     * The share of those that are on the list.
     */
    green_fraction: number;
    /**
     * How many standard deviations that is above a text without a mark.
     */
    z_score: number;
    /**
     * The chance that a text without a mark scores as high.
     */
    p_value: number;
    /**
     * Whether the score is above 3.
     */
    watermarked: boolean;
};

/**
 * How to continue the text; every field may be left out.
 */
export type GenerateParameters = {
    /**
     * Include `details` in the answer.
     */
    details?: boolean | null;
    /**
     * False takes the likeliest token each time (greedy): `temperature`, `top_k`, `top_p`, `typical_p` and `min_p` have no effect. True draws it.
     */
    do_sample?: boolean | null;
    /**
     * The most tokens to generate.
     */
    max_new_tokens?: number | null;
    /**
     * As `max_new_tokens`, which wins; larger values are lowered to the limit.
     */
    max_tokens?: number | null;
    /**
     * The end token cannot come before this many tokens.
     */
    min_new_tokens?: number | null;
    /**
     * As `min_new_tokens`.
     */
    min_length?: number | null;
    /**
     * The same seed, request and model give the same text. Random when absent; `details` tell the seed that was used. JavaScript clients should stay below 2^53, where their numbers stop being exact.
     */
    seed?: number | null;
    /**
     * As `seed`.
     */
    random_seed?: number | null;
    /**
     * Below 1 prefers likely tokens more, above 1 less; 0.001 to 2 makes sense.
     */
    temperature?: number | null;
    /**
     * Draw from this many likeliest tokens; 0 is off.
     */
    top_k?: number | null;
    /**
     * Draw from the fewest likeliest tokens that have this probability together.
     */
    top_p?: number | null;
    /**
     * Draw from the most typical tokens that have this probability together.
     */
    typical_p?: number | null;
    /**
     * Draw from the tokens that have at least this share of the likeliest one's probability.
     */
    min_p?: number | null;
    /**
     * Above 1 penalises tokens that the prompt or the output have already, below 1 rewards them. Works with greedy too.
     */
    repetition_penalty?: number | null;
    /**
     * Subtracted from the logits of tokens that the output has already.
     */
    presence_penalty?: number | null;
    /**
     * Subtracted from a token's logit once for each time the output has it.
     */
    frequency_penalty?: number | null;
    /**
     * Added to logits; keys are token ids. Keys that are none are ignored.
     */
    logit_bias?: LogitBias | null;
    /**
     * The text ends before the first of these strings.
     */
    stop?: StopStrings;
    /**
     * As `stop`.
     */
    stop_words?: StopStrings;
    /**
     * The text ends at any of these tokens.
     */
    stop_token_ids?: Array<TokenId> | null;
    /**
     * Token sequences of these strings are never generated.
     */
    bad_words?: BadWords;
    /**
     * Go on when the model's own end token comes.
     */
    ignore_eos?: boolean | null;
    /**
     * Leave special tokens out of the text.
     */
    skip_special_tokens?: boolean | null;
    /**
     * Include `tokens` in `details`, each with its log-probability and those of this many likeliest tokens.
     */
    logprobs?: number | null;
    /**
     * Mark the text so that it can be told from text by others.
     */
    watermark?: boolean | null;
    /**
     * Include `details` with timings in the answer.
     */
    perf_stat?: boolean | null;
    /**
     * Checked and without effect; the server batches all requests by itself.
     */
    batch_size?: number | null;
    /**
     * Requests with a lower number are started first, but not for ever: one that waits is overtaken by at most 64 later ones for each step between their priorities.
     */
    priority?: number | null;
    /**
     * Seconds after which the request is given up with status 408.
     */
    timeout?: number | null;
    /**
     * Ignored; the path decides.
     */
    stream?: boolean | null;
    /**
     * Ignored.
     */
    accumulate_tokens?: unknown;
    /**
     * Ignored.
     */
    end_id?: unknown;
    /**
     * Ignored.
     */
    pad_id?: unknown;
    /**
     * Ignored.
     */
    exclude_input_in_output?: unknown;
};

/**
 * What is added to the logits of tokens; the keys are token ids.
 */
export type LogitBias = {
    [key: string]: number;
} | null;

/**
 * One string or several. An empty string is none.
 */
export type StopStrings = string | null | Array<string>;

/**
 * One string or several. An empty string is none.
 */
export type BadWords = string | null | Array<string>;

/**
 * The continuation of one text.
 */
export type GenerateResponse = {
    /**
     * The request's `id`, or the server's own.
     */
    id: string;
    model_name: ModelName;
    /**
     * The version that the path named, null when it named none.
     */
    model_version: string | null;
    /**
     * What follows the prompt, without the prompt, and without a character that is not complete when the generation ends.
     */
    text_output: string;
    details?: GenerateDetails;
    dry_run?: DryRun;
};

/**
 * What would apply to the request; there, with an empty `text_output`, if the query's `dry_run` is true.
 */
export type DryRun = {
    /**
     * How many tokens the prompt has.
     */
    num_prompt_tokens: number;
    /**
     * The most tokens that would be generated, `max_new_tokens` or what room the prompt leaves.
     */
    max_output_tokens: number;
    /**
     * What applies, by the names of `parameters`, with defaults filled in and large values capped. What is absent is off, or random.
     */
    parameters: GenerateParameters;
    /**
     * Every field without effect, as X-Ignored-Fields names them, uncut.
     */
    ignored_fields: Array<string>;
    /**
     * Every field that was lowered to a limit.
     */
    capped_fields: Array<string>;
};

/**
 * The JSON object of one event.
 */
export type StreamEvent = GenerateEvent | ErrorEvent;

/**
 * What one token brings.
 */
export type GenerateEvent = {
    /**
     * The request's `id`, or the server's own.
     */
    id: string;
    model_name: ModelName;
    /**
     * The version that the path named, null when it named none.
     */
    model_version: string | null;
    /**
     * New text; empty while a character, or what may be a stop string, is not complete.
     */
    text_output: string;
    details?: EventDetails;
    /**
     * Milliseconds from arrival to the first token. In the first event, if `perf_stat` is asked for.
     */
    prefill_time?: number;
    /**
     * Milliseconds since the token before. In later events, if `perf_stat` is asked for.
     */
    decode_time?: number;
};

/**
 * Why the stream ends here.
 */
export type ErrorEvent = {
    /**
     * Always empty.
     */
    text_output: string;
    /**
     * What is wrong, beginning with the name of the field where there is one.
     */
    error: string;
    error_type: ErrorType;
};

/**
 * How the text came about; there if `details` or `perf_stat` is asked for.
 */
export type GenerateDetails = EventDetails & {
    [key: string]: unknown;
};

/**
 * How the text came about so far; there if `details` or `perf_stat` is asked for. Only the last event has a `finish_reason`, and `tokens` are those of the event alone.
 */
export type EventDetails = {
    finish_reason?: FinishReason;
    /**
     * How many tokens were generated, the end token counted.
     */
    generated_tokens: number;
    /**
     * Milliseconds from arrival to the first token; null unless `perf_stat`.
     */
    first_token_cost: number | null;
    /**
     * Milliseconds spent after the first token; null unless `perf_stat`.
     */
    decode_cost: number | null;
    /**
     * A pair for each generated token, its id and its milliseconds; the first is the prompt's work. There if `perf_stat` is asked for.
     */
    perf_stat?: Array<[
        number,
        number
    ]>;
    /**
     * The seed that was used; there when sampling. Made ones stay below 2^53.
     */
    seed?: number;
    /**
     * The generated tokens; there if `logprobs` is asked for.
     */
    tokens?: Array<GeneratedToken>;
};

/**
 * `eos_token` - the model ended the text. `stop_sequence` - a stop string or stop token came, or the request was stopped. `length` - a limit on tokens was reached.
 */
export type FinishReason = 'eos_token' | 'stop_sequence' | 'length';

/**
 * A token and how likely the model found it.
 */
export type TokenLogprob = {
    token_id: TokenId;
    /**
     * The token as text; half a character shows as U+FFFD.
     */
    text: string;
    /**
     * Natural logarithm of the token's probability under the model alone. The minimum is that of a token that cannot come.
     */
    logprob: number;
};

/**
 * A generated token, and the likeliest ones for its place.
 */
export type GeneratedToken = TokenLogprob & {
    /**
     * The likeliest tokens for this place, likeliest first.
     */
    top_logprobs: Array<TokenLogprob>;
};

/**
 * Number of a token in the model's vocabulary.
 */
export type TokenId = number;

/**
 * Name of a served model.
 */
export type ModelName = string;

/**
 * Version of a served model.
 */
export type ModelVersion = string;

/**
 * Whether the process is alive.
 */
export type LiveStatus = {
    /**
     * Always true.
     */
    live: boolean;
};

/**
 * Whether requests can be answered.
 */
export type ReadyStatus = {
    /**
     * Always true; otherwise the status is 503.
     */
    ready: boolean;
};

/**
 * Prometheus' text format; docs/metrics.md lists the names.
 */
export type Metrics = string;

/**
 * Facts about the server.
 */
export type ServerMetadata = {
    /**
     * Name of the server.
     */
    name: string;
    /**
     * Version of the server.
     */
    version: string;
    /**
     * Protocol extensions that the server has.
     */
    extensions: Array<string>;
};

/**
 * Facts about a model.
 */
export type ModelMetadata = {
    name: ModelName;
    /**
     * Versions that are served.
     */
    versions: Array<ModelVersion>;
    /**
     * What computes the model, and its format, once it is loaded: genspec_transformers by the native decoder, pytorch_transformers by torch.
     */
    platform: string;
    /**
     * What the model takes.
     */
    inputs: Array<TensorMetadata>;
    /**
     * What the model gives.
     */
    outputs: Array<TensorMetadata>;
};

/**
 * How a model is set up here.
 */
export type ModelConfig = {
    model_name: ModelName;
    model_version: ModelVersion;
    /**
     * What kind of model it is.
     */
    architecture: string;
    /**
     * How many token ids the model knows.
     */
    vocab_size: number;
    /**
     * How many positions the model knows.
     */
    max_position_embeddings: number;
    /**
     * The most tokens of prompt and output together.
     */
    max_seq_len: number;
    /**
     * The most tokens of output.
     */
    max_iter_times: number;
    /**
     * The most tokens of a prompt.
     */
    max_prompt_tokens: number;
    /**
     * The most sequences that are computed at once.
     */
    max_running_requests: number;
    /**
     * The most requests that wait for that.
     */
    max_queue_size: number;
    /**
     * The token that ends a text, null where there is none.
     */
    eos_token_id: number | null;
    /**
     * Every token that ends a text.
     */
    eos_token_ids: Array<TokenId>;
    /**
     * What computes the model; `auto` until it is loaded.
     */
    device: string;
    /**
     * The type of the weights; `auto` until the model is loaded.
     */
    dtype: string;
    /**
     * The code that computes the model; `auto` until it is loaded.
     */
    decoder: string;
    /**
     * Whether the same request is answered the same whatever runs beside it. True for the decoders native and exact; others round differently in batches of other sizes.
     */
    deterministic_under_load: boolean;
};

/**
 * What a model can be asked for here.
 */
export type ModelCapabilities = {
    model_name: ModelName;
    model_version: ModelVersion;
    /**
     * The fields of `parameters`, each once.
     */
    parameters: Array<ParameterCapability>;
    /**
     * What the operations on the model take and give.
     */
    formats: Array<OperationFormats>;
    /**
     * What tensors may consist of.
     */
    datatypes: Array<DataType>;
    /**
     * The most tokens of a prompt.
     */
    max_prompt_tokens: number;
    /**
     * What computes the model; `auto` until it is loaded.
     */
    device: string;
    /**
     * The type of the weights; `auto` until the model is loaded.
     */
    dtype: string;
    /**
     * How the weights are stored in fewer bits than they are computed in, if they are.
     */
    quantisation: string | null;
    /**
     * The code that computes the model; `auto` until it is loaded.
     */
    decoder: string;
    determinism: Determinism;
};

/**
 * `batch_invariant` - the same seed and request give the same text whatever runs beside them. `single_request` - they do while nothing else runs; until the model is loaded no more is promised.
 */
export type Determinism = 'batch_invariant' | 'single_request';

/**
 * One field of `parameters`.
 */
export type ParameterCapability = {
    /**
     * Its name under `parameters`.
     */
    name: string;
    /**
     * Its other spellings, dotted from the root of the body.
     */
    other_names: Array<string>;
    /**
     * Whether it is accepted without effect, and named in X-Ignored-Fields.
     */
    is_ignored: boolean;
    /**
     * Its JSON Schema as OpenAPI 3.0 has it, with the limits of this deployment and without references.
     */
    schema: {
        [key: string]: unknown;
    };
};

/**
 * What one operation takes and gives.
 */
export type OperationFormats = {
    /**
     * Its `operationId` in this document.
     */
    operation: string;
    /**
     * Its HTTP method.
     */
    method: 'GET' | 'POST';
    /**
     * Its path for this model.
     */
    path: string;
    /**
     * Media types of its body; none where it has no body.
     */
    request: Array<string>;
    /**
     * Media types of its answer.
     */
    answer: Array<string>;
};

/**
 * What models have done and do.
 */
export type ModelStatistics = {
    /**
     * One entry for each model.
     */
    model_stats: Array<ModelStatisticsEntry>;
};

/**
 * What one model has done and does.
 */
export type ModelStatisticsEntry = {
    name: ModelName;
    version: ModelVersion;
    /**
     * How many generations have ended well.
     */
    inference_count: number;
    /**
     * How many batches the model has computed.
     */
    execution_count: number;
    inference_stats: InferenceStatistics;
    /**
     * How many sequences are computed now.
     */
    num_running: number;
    /**
     * How many requests wait for that.
     */
    num_waiting: number;
    /**
     * How many tokens have their keys and values in memory now.
     */
    num_kv_tokens: number;
    /**
     * How many tokens have been generated.
     */
    num_generated_tokens: number;
};

/**
 * How generations have ended.
 */
export type InferenceStatistics = {
    success: DurationStatistics;
    fail: DurationStatistics;
    cancel: DurationStatistics;
    /**
     * How long those that ended well waited before they were computed.
     */
    queue: DurationStatistics;
    /**
     * How long they were computed, and their tokens read and written.
     */
    compute_infer: DurationStatistics;
    /**
     * Nothing beside `compute_infer`.
     */
    compute_input: DurationStatistics;
    /**
     * Nothing beside `compute_infer`.
     */
    compute_output: DurationStatistics;
};

/**
 * How many generations have ended this way, and how long they took.
 */
export type DurationStatistics = {
    /**
     * How many.
     */
    count: number;
    /**
     * Nanoseconds that they took together.
     */
    ns: number;
};

/**
 * Name, type and shape of an input or output.
 */
export type TensorMetadata = {
    /**
     * Name of the tensor.
     */
    name: string;
    datatype: DataType;
    /**
     * Size of each dimension; -1 is any.
     */
    shape: Array<number>;
};

/**
 * Type of a tensor's elements; `BYTES` is text in UTF-8.
 */
export type DataType = 'BYTES' | 'UINT32';

/**
 * Why the request was not answered.
 */
export type Error = {
    /**
     * What is wrong, beginning with the name of the field where there is one.
     */
    error: string;
    error_type: ErrorType;
};

/**
 * The kind of error.
 */
export type ErrorType = 'Bad Request' | 'Unauthorized' | 'Forbidden' | 'Not Found' | 'Method Not Allowed' | 'Request Timeout' | 'Payload Too Large' | 'Unsupported Media Type' | 'Input Validation Error' | 'Generation Error' | 'Overloaded' | 'Request Header Fields Too Large' | 'Internal Error' | 'Service Unavailable';

/**
 * Name of a served model; any other is 404.
 */
export type ModelName2 = ModelName;

/**
 * Version of the model; any other than the served one is 404.
 */
export type ModelVersion2 = ModelVersion;

/**
 * `true`, or `1`, checks the request as ever, counts the tokens of its prompt and answers with `dry_run`, which says what would apply. Nothing is generated, and no place in the queue is needed.
 */
export type DryRun2 = boolean;

/**
 * Makes it safe to send the request again. While the first request of this key runs, and for some time after it was answered with 200, another of the same body waits for, or gets, the first one's answer, and another of a different body, path or query is 422. Failures are not kept. A request that every client has left is ended and forgotten.
 */
export type IdempotencyKey = string;

export type Generate = GenerateRequest;

export type Infer = InferRequest;

export type Stop = StopRequest;

export type Tokenize = TokenizeRequest;

export type Detokenize = DetokenizeRequest;

export type DetectWatermark = DetectWatermarkRequest;

export type GenerateData = {
    /**
     * The text to continue, and how.
     */
    body: Generate;
    headers?: {
        /**
         * Makes it safe to send the request again. While the first request of this key runs, and for some time after it was answered with 200, another of the same body waits for, or gets, the first one's answer, and another of a different body, path or query is 422. Failures are not kept. A request that every client has left is ended and forgotten.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: {
        /**
         * `true`, or `1`, checks the request as ever, counts the tokens of its prompt and answers with `dry_run`, which says what would apply. Nothing is generated, and no place in the queue is needed.
         */
        dry_run?: boolean;
    };
    url: '/v2/models/{model_name}/generate';
};

export type GenerateErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document or uses an Idempotency-Key anew.
     */
    422: Error;
    /**
     * The model failed on this request.
     */
    424: Error;
    /**
     * The queue is full, or a limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type GenerateError = GenerateErrors[keyof GenerateErrors];

export type GenerateResponses = {
    /**
     * The continuation.
     */
    200: GenerateResponse;
};

export type GenerateResponse2 = GenerateResponses[keyof GenerateResponses];

export type GenerateVersionData = {
    /**
     * The text to continue, and how.
     */
    body: Generate;
    headers?: {
        /**
         * Makes it safe to send the request again. While the first request of this key runs, and for some time after it was answered with 200, another of the same body waits for, or gets, the first one's answer, and another of a different body, path or query is 422. Failures are not kept. A request that every client has left is ended and forgotten.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: {
        /**
         * `true`, or `1`, checks the request as ever, counts the tokens of its prompt and answers with `dry_run`, which says what would apply. Nothing is generated, and no place in the queue is needed.
         */
        dry_run?: boolean;
    };
    url: '/v2/models/{model_name}/versions/{model_version}/generate';
};

export type GenerateVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document or uses an Idempotency-Key anew.
     */
    422: Error;
    /**
     * The model failed on this request.
     */
    424: Error;
    /**
     * The queue is full, or a limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type GenerateVersionError = GenerateVersionErrors[keyof GenerateVersionErrors];

export type GenerateVersionResponses = {
    /**
     * The continuation.
     */
    200: GenerateResponse;
};

export type GenerateVersionResponse = GenerateVersionResponses[keyof GenerateVersionResponses];

export type GenerateStreamData = {
    /**
     * The text to continue, and how.
     */
    body: Generate;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/generate_stream';
};

export type GenerateStreamErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document or uses an Idempotency-Key anew.
     */
    422: Error;
    /**
     * The model failed on this request.
     */
    424: Error;
    /**
     * The queue is full, or a limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type GenerateStreamError = GenerateStreamErrors[keyof GenerateStreamErrors];

export type GenerateStreamResponses = {
    /**
     * The continuation as server-sent events. Each is a line `data:` followed by a JSON object, and an empty line; there are no names, comments or end markers.
     */
    200: StreamEvent;
};

export type GenerateStreamResponse = GenerateStreamResponses[keyof GenerateStreamResponses];

export type GenerateStreamVersionData = {
    /**
     * The text to continue, and how.
     */
    body: Generate;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/generate_stream';
};

export type GenerateStreamVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document or uses an Idempotency-Key anew.
     */
    422: Error;
    /**
     * The model failed on this request.
     */
    424: Error;
    /**
     * The queue is full, or a limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type GenerateStreamVersionError = GenerateStreamVersionErrors[keyof GenerateStreamVersionErrors];

export type GenerateStreamVersionResponses = {
    /**
     * The continuation as server-sent events. Each is a line `data:` followed by a JSON object, and an empty line; there are no names, comments or end markers.
     */
    200: StreamEvent;
};

export type GenerateStreamVersionResponse = GenerateStreamVersionResponses[keyof GenerateStreamVersionResponses];

export type InferData = {
    /**
     * The tensor to continue, and how.
     */
    body: Infer;
    headers?: {
        /**
         * Makes it safe to send the request again. While the first request of this key runs, and for some time after it was answered with 200, another of the same body waits for, or gets, the first one's answer, and another of a different body, path or query is 422. Failures are not kept. A request that every client has left is ended and forgotten.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/infer';
};

export type InferErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document or uses an Idempotency-Key anew.
     */
    422: Error;
    /**
     * The model failed on this request.
     */
    424: Error;
    /**
     * The queue is full, or a limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type InferError = InferErrors[keyof InferErrors];

export type InferResponses = {
    /**
     * The continuation.
     */
    200: InferResponse;
};

export type InferResponse2 = InferResponses[keyof InferResponses];

export type InferVersionData = {
    /**
     * The tensor to continue, and how.
     */
    body: Infer;
    headers?: {
        /**
         * Makes it safe to send the request again. While the first request of this key runs, and for some time after it was answered with 200, another of the same body waits for, or gets, the first one's answer, and another of a different body, path or query is 422. Failures are not kept. A request that every client has left is ended and forgotten.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/infer';
};

export type InferVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document or uses an Idempotency-Key anew.
     */
    422: Error;
    /**
     * The model failed on this request.
     */
    424: Error;
    /**
     * The queue is full, or a limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type InferVersionError = InferVersionErrors[keyof InferVersionErrors];

export type InferVersionResponses = {
    /**
     * The continuation.
     */
    200: InferResponse;
};

export type InferVersionResponse = InferVersionResponses[keyof InferVersionResponses];

export type StopInferData = {
    /**
     * What to end.
     */
    body: Stop;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/stopInfer';
};

export type StopInferErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model or version, or no running request of that id.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server is shutting down, or has too many connections.
     */
    503: Error;
};

export type StopInferError = StopInferErrors[keyof StopInferErrors];

export type StopInferResponses = {
    /**
     * The requests of that id have been ended.
     */
    200: StopResponse;
};

export type StopInferResponse = StopInferResponses[keyof StopInferResponses];

export type StopInferVersionData = {
    /**
     * What to end.
     */
    body: Stop;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/stopInfer';
};

export type StopInferVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model or version, or no running request of that id.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server is shutting down, or has too many connections.
     */
    503: Error;
};

export type StopInferVersionError = StopInferVersionErrors[keyof StopInferVersionErrors];

export type StopInferVersionResponses = {
    /**
     * The requests of that id have been ended.
     */
    200: StopResponse;
};

export type StopInferVersionResponse = StopInferVersionResponses[keyof StopInferVersionResponses];

export type TokenizeData = {
    /**
     * The text.
     */
    body: Tokenize;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/tokenize';
};

export type TokenizeErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * A limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type TokenizeError = TokenizeErrors[keyof TokenizeErrors];

export type TokenizeResponses = {
    /**
     * The tokens.
     */
    200: TokenizeResponse;
};

export type TokenizeResponse2 = TokenizeResponses[keyof TokenizeResponses];

export type TokenizeVersionData = {
    /**
     * The text.
     */
    body: Tokenize;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/tokenize';
};

export type TokenizeVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * A limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type TokenizeVersionError = TokenizeVersionErrors[keyof TokenizeVersionErrors];

export type TokenizeVersionResponses = {
    /**
     * The tokens.
     */
    200: TokenizeResponse;
};

export type TokenizeVersionResponse = TokenizeVersionResponses[keyof TokenizeVersionResponses];

export type DetokenizeData = {
    /**
     * The tokens.
     */
    body: Detokenize;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/detokenize';
};

export type DetokenizeErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * A limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type DetokenizeError = DetokenizeErrors[keyof DetokenizeErrors];

export type DetokenizeResponses = {
    /**
     * The text.
     */
    200: DetokenizeResponse;
};

export type DetokenizeResponse2 = DetokenizeResponses[keyof DetokenizeResponses];

export type DetokenizeVersionData = {
    /**
     * The tokens.
     */
    body: Detokenize;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/detokenize';
};

export type DetokenizeVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * A limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type DetokenizeVersionError = DetokenizeVersionErrors[keyof DetokenizeVersionErrors];

export type DetokenizeVersionResponses = {
    /**
     * The text.
     */
    200: DetokenizeResponse;
};

export type DetokenizeVersionResponse = DetokenizeVersionResponses[keyof DetokenizeVersionResponses];

export type DetectWatermarkData = {
    /**
     * The text.
     */
    body: DetectWatermark;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/detect_watermark';
};

export type DetectWatermarkErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * A limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type DetectWatermarkError = DetectWatermarkErrors[keyof DetectWatermarkErrors];

export type DetectWatermarkResponses = {
    /**
     * The score.
     */
    200: DetectWatermarkResponse;
};

export type DetectWatermarkResponse2 = DetectWatermarkResponses[keyof DetectWatermarkResponses];

export type DetectWatermarkVersionData = {
    /**
     * The text.
     */
    body: DetectWatermark;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/detect_watermark';
};

export type DetectWatermarkVersionErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The time limit of the request or of the server passed before an answer.
     */
    408: Error;
    /**
     * The body is larger than the server takes.
     */
    413: Error;
    /**
     * The body is not said to be JSON in UTF-8, without a content encoding and with no transfer encoding but `chunked`.
     */
    415: Error;
    /**
     * The body is not strict JSON, or the request breaks a bound of this document.
     */
    422: Error;
    /**
     * A limit of the API key is reached.
     */
    429: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type DetectWatermarkVersionError = DetectWatermarkVersionErrors[keyof DetectWatermarkVersionErrors];

export type DetectWatermarkVersionResponses = {
    /**
     * The score.
     */
    200: DetectWatermarkResponse;
};

export type DetectWatermarkVersionResponse = DetectWatermarkVersionResponses[keyof DetectWatermarkVersionResponses];

export type HealthLiveData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/health/live';
};

export type HealthLiveErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The process will never answer again, or has too many connections.
     */
    503: Error;
};

export type HealthLiveError = HealthLiveErrors[keyof HealthLiveErrors];

export type HealthLiveResponses = {
    /**
     * The process is alive.
     */
    200: LiveStatus;
};

export type HealthLiveResponse = HealthLiveResponses[keyof HealthLiveResponses];

export type HealthReadyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/health/ready';
};

export type HealthReadyErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type HealthReadyError = HealthReadyErrors[keyof HealthReadyErrors];

export type HealthReadyResponses = {
    /**
     * Requests can be answered now.
     */
    200: ReadyStatus;
};

export type HealthReadyResponse = HealthReadyResponses[keyof HealthReadyResponses];

export type ServerMetadataData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2';
};

export type ServerMetadataErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ServerMetadataError = ServerMetadataErrors[keyof ServerMetadataErrors];

export type ServerMetadataResponses = {
    /**
     * Facts about the server.
     */
    200: ServerMetadata;
};

export type ServerMetadataResponse = ServerMetadataResponses[keyof ServerMetadataResponses];

export type ModelMetadataData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}';
};

export type ModelMetadataErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelMetadataError = ModelMetadataErrors[keyof ModelMetadataErrors];

export type ModelMetadataResponses = {
    /**
     * Facts about the model.
     */
    200: ModelMetadata;
};

export type ModelMetadataResponse = ModelMetadataResponses[keyof ModelMetadataResponses];

export type ModelVersionMetadataData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}';
};

export type ModelVersionMetadataErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelVersionMetadataError = ModelVersionMetadataErrors[keyof ModelVersionMetadataErrors];

export type ModelVersionMetadataResponses = {
    /**
     * Facts about the model.
     */
    200: ModelMetadata;
};

export type ModelVersionMetadataResponse = ModelVersionMetadataResponses[keyof ModelVersionMetadataResponses];

export type ModelConfigData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/config';
};

export type ModelConfigErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelConfigError = ModelConfigErrors[keyof ModelConfigErrors];

export type ModelConfigResponses = {
    /**
     * The configuration.
     */
    200: ModelConfig;
};

export type ModelConfigResponse = ModelConfigResponses[keyof ModelConfigResponses];

export type ModelVersionConfigData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/config';
};

export type ModelVersionConfigErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelVersionConfigError = ModelVersionConfigErrors[keyof ModelVersionConfigErrors];

export type ModelVersionConfigResponses = {
    /**
     * The configuration.
     */
    200: ModelConfig;
};

export type ModelVersionConfigResponse = ModelVersionConfigResponses[keyof ModelVersionConfigResponses];

export type ModelCapabilitiesData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/capabilities';
};

export type ModelCapabilitiesErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelCapabilitiesError = ModelCapabilitiesErrors[keyof ModelCapabilitiesErrors];

export type ModelCapabilitiesResponses = {
    /**
     * The capabilities.
     */
    200: ModelCapabilities;
};

export type ModelCapabilitiesResponse = ModelCapabilitiesResponses[keyof ModelCapabilitiesResponses];

export type ModelVersionCapabilitiesData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/capabilities';
};

export type ModelVersionCapabilitiesErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelVersionCapabilitiesError = ModelVersionCapabilitiesErrors[keyof ModelVersionCapabilitiesErrors];

export type ModelVersionCapabilitiesResponses = {
    /**
     * The capabilities.
     */
    200: ModelCapabilities;
};

export type ModelVersionCapabilitiesResponse = ModelVersionCapabilitiesResponses[keyof ModelVersionCapabilitiesResponses];

export type ModelStatsData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/stats';
};

export type ModelStatsErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelStatsError = ModelStatsErrors[keyof ModelStatsErrors];

export type ModelStatsResponses = {
    /**
     * The counts.
     */
    200: ModelStatistics;
};

export type ModelStatsResponse = ModelStatsResponses[keyof ModelStatsResponses];

export type ModelVersionStatsData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/stats';
};

export type ModelVersionStatsErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type ModelVersionStatsError = ModelVersionStatsErrors[keyof ModelVersionStatsErrors];

export type ModelVersionStatsResponses = {
    /**
     * The counts.
     */
    200: ModelStatistics;
};

export type ModelVersionStatsResponse = ModelVersionStatsResponses[keyof ModelVersionStatsResponses];

export type ModelReadyData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
    };
    query?: never;
    url: '/v2/models/{model_name}/ready';
};

export type ModelReadyErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type ModelReadyError = ModelReadyErrors[keyof ModelReadyErrors];

export type ModelReadyResponses = {
    /**
     * Requests can be answered now.
     */
    200: ReadyStatus;
};

export type ModelReadyResponse = ModelReadyResponses[keyof ModelReadyResponses];

export type ModelVersionReadyData = {
    body?: never;
    path: {
        /**
         * Name of a served model; any other is 404.
         */
        model_name: ModelName;
        /**
         * Version of the model; any other than the served one is 404.
         */
        model_version: ModelVersion;
    };
    query?: never;
    url: '/v2/models/{model_name}/versions/{model_version}/ready';
};

export type ModelVersionReadyErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * No such model, version or path.
     */
    404: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The model is not loaded yet, the server is shutting down, or it has too many connections.
     */
    503: Error;
};

export type ModelVersionReadyError = ModelVersionReadyErrors[keyof ModelVersionReadyErrors];

export type ModelVersionReadyResponses = {
    /**
     * Requests can be answered now.
     */
    200: ReadyStatus;
};

export type ModelVersionReadyResponse = ModelVersionReadyResponses[keyof ModelVersionReadyResponses];

export type MetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type MetricsErrors = {
    /**
     * The bytes received are not HTTP, or break its rules, as a request without a `Host` does.
     */
    400: Error;
    /**
     * The request has no key, or none of the server's.
     */
    401: Error;
    /**
     * A browser sent this from a site that is not allowed to.
     */
    403: Error;
    /**
     * The path knows other methods.
     */
    405: Error;
    /**
     * The request took too long to arrive.
     */
    408: Error;
    /**
     * The request line and headers are larger than the server takes.
     */
    431: Error;
    /**
     * A fault of the server.
     */
    500: Error;
    /**
     * The server has too many connections, or is shutting down.
     */
    503: Error;
};

export type MetricsError = MetricsErrors[keyof MetricsErrors];

export type MetricsResponses = {
    /**
     * The metrics, in version 0.0.4 of the format.
     */
    200: Metrics;
};

export type MetricsResponse = MetricsResponses[keyof MetricsResponses];
