"""A camera in the network that is away is waited for."""

from controller.table.camera_thread import CameraThread
from hardware.devices import SystemClock
from hardware.network_camera import NetworkCamera
from tests.hardware.network_senders import MjpegSender


def test_a_sender_that_goes_away_is_waited_for_without_a_new_process():
    sender = MjpegSender()
    reports, replaced = [], []

    def report(text):
        reports.append(text)
        if text is None and len(reports) == 1:
            sender.lose()
        elif len(reports) == 6:  # lost, and refused four times
            sender.restore()
        elif text is None:
            thread.stop()

    thread = CameraThread(
        lambda: NetworkCamera(sender.address, SystemClock()),
        lambda camera: camera.frames(),
        opened=lambda _: None,
        look=lambda _: [],
        observed=lambda _: None,
        report=report,
        stuck=lambda why: bool(replaced.append(why)),
        retry=0.0,
    )
    thread.run()
    sender.close()
    assert reports[-1] is None
    assert "no more pictures" in reports[1]
    assert all("refuses the connection" in text for text in reports[2:6])
    assert not replaced
