"""Contains all the data models used in inputs/outputs"""

from .data_elsewhere import DataElsewhere
from .data_type import DataType
from .detect_watermark_request import DetectWatermarkRequest
from .detect_watermark_response import DetectWatermarkResponse
from .determinism import Determinism
from .detokenize_request import DetokenizeRequest
from .detokenize_response import DetokenizeResponse
from .dry_run import DryRun
from .duration_statistics import DurationStatistics
from .error import Error
from .error_event import ErrorEvent
from .error_type import ErrorType
from .event_details import EventDetails
from .finish_reason import FinishReason
from .generate_details import GenerateDetails
from .generate_event import GenerateEvent
from .generate_parameters import GenerateParameters
from .generate_request import GenerateRequest
from .generate_response import GenerateResponse
from .generated_token import GeneratedToken
from .infer_output import InferOutput
from .infer_request import InferRequest
from .infer_requested_output import InferRequestedOutput
from .infer_response import InferResponse
from .inference_statistics import InferenceStatistics
from .live_status import LiveStatus
from .logit_bias_type_0 import LogitBiasType0
from .model_capabilities import ModelCapabilities
from .model_config import ModelConfig
from .model_metadata import ModelMetadata
from .model_statistics import ModelStatistics
from .model_statistics_entry import ModelStatisticsEntry
from .operation_formats import OperationFormats
from .operation_formats_method import OperationFormatsMethod
from .parameter_capability import ParameterCapability
from .parameter_capability_schema import ParameterCapabilitySchema
from .ready_status import ReadyStatus
from .server_metadata import ServerMetadata
from .stop_request import StopRequest
from .stop_response import StopResponse
from .tensor_metadata import TensorMetadata
from .tensor_parameters import TensorParameters
from .text_tensor import TextTensor
from .text_tensor_datatype import TextTensorDatatype
from .token_logprob import TokenLogprob
from .token_tensor import TokenTensor
from .token_tensor_datatype import TokenTensorDatatype
from .tokenize_request import TokenizeRequest
from .tokenize_response import TokenizeResponse

__all__ = (
    "DataElsewhere",
    "DataType",
    "DetectWatermarkRequest",
    "DetectWatermarkResponse",
    "Determinism",
    "DetokenizeRequest",
    "DetokenizeResponse",
    "DryRun",
    "DurationStatistics",
    "Error",
    "ErrorEvent",
    "ErrorType",
    "EventDetails",
    "FinishReason",
    "GenerateDetails",
    "GenerateEvent",
    "GenerateParameters",
    "GenerateRequest",
    "GenerateResponse",
    "GeneratedToken",
    "InferOutput",
    "InferRequest",
    "InferRequestedOutput",
    "InferResponse",
    "InferenceStatistics",
    "LiveStatus",
    "LogitBiasType0",
    "ModelCapabilities",
    "ModelConfig",
    "ModelMetadata",
    "ModelStatistics",
    "ModelStatisticsEntry",
    "OperationFormats",
    "OperationFormatsMethod",
    "ParameterCapability",
    "ParameterCapabilitySchema",
    "ReadyStatus",
    "ServerMetadata",
    "StopRequest",
    "StopResponse",
    "TensorMetadata",
    "TensorParameters",
    "TextTensor",
    "TextTensorDatatype",
    "TokenLogprob",
    "TokenTensor",
    "TokenTensorDatatype",
    "TokenizeRequest",
    "TokenizeResponse",
)
