"""OpenVINO GenAI's continuous batching on a model that optimum-intel exported."""

import argparse
from pathlib import Path

import numpy as np
import openvino
import openvino_genai

from benchmarks.peers.closed_loop import ClosedLoop
from benchmarks.peers.worker import Run, serve

_CACHE_GIGABYTES = 2


def load(model: Path, num_threads: int) -> Run:
    """The plugin's defaults, but float32 where it computes in floats, and no prefix cache."""
    scheduler = openvino_genai.SchedulerConfig()
    scheduler.cache_size = _CACHE_GIGABYTES
    scheduler.max_num_seqs = 16
    scheduler.max_num_batched_tokens = 512
    scheduler.dynamic_split_fuse = True
    scheduler.enable_prefix_caching = False
    properties = {"INFERENCE_NUM_THREADS": num_threads, "INFERENCE_PRECISION_HINT": "f32"}
    pipeline = openvino_genai.ContinuousBatchingPipeline(str(model), scheduler, "CPU", properties)
    return lambda loop: run(pipeline, loop)


def run(pipeline: openvino_genai.ContinuousBatchingPipeline, loop: ClosedLoop) -> None:
    handles: dict[int, openvino_genai.GenerationHandle] = {}
    while not loop.is_finished:
        while (next_request := loop.next_request()) is not None:
            index, request = next_request
            config = openvino_genai.GenerationConfig()
            config.max_new_tokens = request.num_new_tokens
            config.ignore_eos = True
            config.do_sample = False
            prompt = openvino.Tensor(np.array([request.prompt], dtype=np.int64))
            handles[index] = pipeline.add_request(index, prompt, config)
        pipeline.step()
        for index, handle in list(handles.items()):
            if handle.can_read():
                num_tokens = sum(len(output.generated_ids) for output in handle.read().values())
                if loop.received(index, num_tokens):
                    del handles[index]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="directory of the exported model")
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    serve(lambda: load(options.model, options.threads))


if __name__ == "__main__":
    main()
