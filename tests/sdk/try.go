// go run . URL: exits 0 when the generated client generates, with the largest seed.
package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"

	client "genspec.example/genspec/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers[0].URL = os.Args[1]
	api := client.NewAPIClient(configuration)
	stop := []string{"no such text"}
	parameters := client.NewGenerateParameters()
	parameters.SetDetails(true)
	parameters.SetDoSample(true)
	parameters.SetMaxNewTokens(8)
	parameters.SetSeed(math.MaxUint64)
	parameters.SetStop(client.ArrayOfStringAsStopStrings(&stop))
	text := "今天天气很好 🙂"
	request := client.NewGenerateRequest(client.StringAsGenerateRequestTextInput(&text))
	request.SetParameters(*parameters)

	first := generate(api, request)
	again := generate(api, request)
	check(first.Details.GetSeed() == math.MaxUint64, "the seed")
	check(first.TextOutput == again.TextOutput, "the same text")
	tokens := infer(api)
	check(len(tokens) == 2, "two tokens")

	_, response, err := api.GenerateAPI.Generate(context.Background(), "nobody").GenerateRequest(*request).Execute()
	check(err != nil && response.StatusCode == 404, "a refusal")
	body := string(err.(*client.GenericOpenAPIError).Body())
	check(strings.Contains(body, "Not Found"), body)
}

func generate(api *client.APIClient, request *client.GenerateRequest) *client.GenerateResponse {
	answer, _, err := api.GenerateAPI.Generate(context.Background(), "tiny").GenerateRequest(*request).Execute()
	if err != nil {
		panic(err)
	}
	return answer
}

// One tensor of token ids, which is one of two types.
func infer(api *client.APIClient) []int32 {
	var request client.InferRequest
	body := `{"inputs": [{"name": "input0", "shape": [3], "datatype": "UINT32", "data": [5, 6, 7]}],
		"parameters": {"max_new_tokens": 2, "ignore_eos": true}}`
	if err := json.Unmarshal([]byte(body), &request); err != nil {
		panic(err)
	}
	check(request.Inputs[0].TokenTensor != nil, "a tensor of token ids")
	answer, _, err := api.GenerateAPI.Infer(context.Background(), "tiny").InferRequest(request).Execute()
	if err != nil {
		panic(err)
	}
	return *answer.Outputs[0].Data.ArrayOfInt32
}

func check(holds bool, what string) {
	if !holds {
		panic(what)
	}
}
